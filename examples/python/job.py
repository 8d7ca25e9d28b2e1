"""Looks up each person of a file. Kill it as often as you like, and run it again with the same arguments: it pays for nothing twice.

OPERATION_ID=... python job.py employees.csv results.csv MAX_UNITS [--retry-unknown]
"""

import csv
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from padron import PadronError, is_trusted, send

REQUESTS = Path(__file__).with_name("job.graphql").read_text(encoding="utf-8")
# The secret of the operation, 20 to 200 characters. Store it like a password.
OPERATION_ID = os.environ.get("OPERATION_ID", "")
KEEP = "7d"
THREADS = 8
COLUMNS = ("employee", "outcome", "credit", "proof", "problems")


def main(file: Path, results: Path, max_units: int, retry_unknown: bool) -> None:
    headers = {"x-operation-id": OPERATION_ID, "x-operation-keep": KEEP, "x-max-units": str(max_units)}
    if retry_unknown:
        headers["x-operation-retry"] = "unknown"
    # This request is free. It begins the operation, so that nothing is paid if it cannot last.
    read_units(headers)

    with file.open(encoding="utf-8-sig", newline="") as source:
        people = list(csv.DictReader(source))
    problems = []
    # Each run writes the file from its beginning. Answers of earlier runs arrive at once, and are free.
    with ThreadPoolExecutor(THREADS) as pool, results.open("w", encoding="utf-8", newline="") as target:
        table = csv.DictWriter(target, COLUMNS)
        table.writeheader()
        for row in pool.map(lambda person: look_up(person, headers), people):
            table.writerow(row)
            target.flush()
            if row["outcome"] in ("UNAVAILABLE", "NOT_RUN"):
                problems.append(row["problems"])

    units = read_units(headers)
    print(f"units: {units['spentUnits']} spent, {units['uncertainUnits']} uncertain, {units['savedUnits']} saved")
    lost = sum("ANSWER_LOST" in codes for codes in problems)
    if lost > 0:
        raise PadronError(f"{lost} answers are lost, and may have been charged. To ask again, add --retry-unknown.")
    if problems:
        raise PadronError(f"{len(problems)} of {len(people)} people have no answer yet. Run the job again.")


def look_up(person: dict, headers: dict) -> dict[str, str]:
    # Spreadsheets drop the first zero of a number.
    nss = person["Núm. Seguro Social"].zfill(11)
    credit = ask(headers, "Credit", {"nss": nss})["person"]["credit"]
    record = credit["record"] if is_trusted(credit) else {}
    return {
        "employee": person["No. Empleado"],
        "outcome": credit["outcome"],
        "credit": {True: "yes", False: "no"}.get(record.get("hasCredit"), ""),
        "proof": credit["evidence"]["validationCode"] or "",
        "problems": " ".join(problem["code"] for problem in credit["problems"]),
    }


def read_units(headers: dict) -> dict:
    return ask(headers, "Operation", {"id": OPERATION_ID})["operation"]


def ask(headers: dict, request: str, variables: dict) -> dict:
    body, response_headers = send(REQUESTS, variables, request, headers)
    if "x-operation-until" not in response_headers:
        raise PadronError(
            "The operation does not last: the response has no x-operation-until. "
            "A router in front of padron must forward x-operation-id, x-operation-keep and x-operation-until."
        )
    return body["data"]


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--retry-unknown"]
    if len(arguments) != 3:
        sys.exit(__doc__)
    try:
        main(Path(arguments[0]), Path(arguments[1]), int(arguments[2]), len(arguments) < len(sys.argv) - 1)
    except PadronError as error:
        sys.exit(str(error))
