"""Looks up one person: python lookup.py NSS [CURP]"""

import sys
from pathlib import Path

from padron import PadronError, ask, is_one_person, is_trusted, with_code

OPERATION = Path(__file__).with_name("person.graphql").read_text(encoding="utf-8")
NOT_SHOWN = "not shown, because the answers may be about different people"


def main(nss: str, curp: str | None = None) -> None:
    variables = {"nss": nss, "curp": curp}

    # A dry run makes no call. `atMost` is the highest price.
    dry_run = ask(OPERATION, variables, headers={"x-dry-run": "true"})
    price = dry_run["extensions"]["estimate"]["atMost"]
    print(f"price:    at most {price} units")

    # If the operation could cost more, padron rejects it before it makes a call.
    answer = ask(OPERATION, variables, headers={"x-max-units": str(price)})
    person = answer["data"]["person"]
    credit, licences = person["credit"], person["licences"]
    can_show = is_one_person(person)

    if can_show and is_trusted(credit):
        record = credit["record"]
        print(f"credit:   {name_in(record)}, {'has a credit' if record['hasCredit'] else 'has no credit'}")
        if record["received"]:
            # padron restored an Ñ that the registry had lost. The proof is about the letters that were received.
            print(f"received: {name_in(record['received'])}")
    else:
        print(f"credit:   {describe(credit) if can_show or credit['problems'] else NOT_SHOWN}")

    if not can_show:
        print(f"licences: {NOT_SHOWN}")
    elif is_trusted(licences):
        for licence in licences["records"]:
            # A search by name also finds other people with this name, so each licence is shown with its own.
            print(f"licence:  {licence['number']} {licence['title']}, {name_in(licence)}")
    else:
        print(f"licences: {describe(licences)}")

    proofs = [lookup["evidence"]["validationCode"] for lookup in (credit, licences)]
    print(f"proofs:   {', '.join(filter(None, proofs))}")
    units = answer["extensions"]["units"]
    print(f"units:    {units['spent']} spent, {units['uncertain']} uncertain")


def name_in(record: dict) -> str:
    return " ".join(filter(None, (record["names"], record["paternalSurname"], record["maternalSurname"])))


def describe(lookup: dict) -> str:
    """Returns the outcome and its reasons."""
    return ": ".join([lookup["outcome"], *map(with_code, lookup["problems"])])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except PadronError as error:
        sys.exit(str(error))
