"""Prices a file of employees, and runs it: python run_batch.py employees.csv [MAX_UNITS [USE|PAY_AGAIN]]"""

import hashlib
import json
import sys
import time
from pathlib import Path

import requests

from padron import TIMEOUT_SECONDS, PadronError, ask, is_trusted, with_code

HERE = Path(__file__).parent
# Each row runs this operation. Its variables are filled by the columns of the file.
OPERATION = (HERE / "credit.graphql").read_text(encoding="utf-8")
# The requests that create, start and watch the batch.
REQUESTS = (HERE / "batch.graphql").read_text(encoding="utf-8")
COLUMNS = ("employee", "state", "credit", "situation", "proof", "problems")


def main(file: Path, max_units: int | None, earlier: str | None) -> None:
    batch = create(file)
    if batch["state"] == "WAITING_FOR_ROWS":
        upload(batch["uploadUrl"], file)
    batch = wait_while(batch["id"], "WAITING_FOR_ROWS", "PRICING")
    print_price(batch)
    if max_units is None:
        print("Nothing is spent. Add the maximum number of units to run the batch.")
        return

    batch = run(batch, max_units, earlier)
    print(f"units: {batch['progress']['spentUnits']} spent, {batch['progress']['uncertainUnits']} uncertain")
    if batch["state"] != "DONE":
        reason = with_code(batch["reason"]) if batch["reason"] else "a caller stopped it"
        raise PadronError(f"The batch is {batch['state']}: {reason}")
    print_table(read_table(batch["jsonlUrl"]))


def create(file: Path) -> dict:
    """Creates the batch. The same file and operation have the same key: a second run finds the same batch, and pays nothing."""
    key = hashlib.sha256(OPERATION.encode() + file.read_bytes()).hexdigest()
    batch = {"name": file.name, "key": key, "operation": OPERATION, "refColumn": "No. Empleado"}
    return change("Create", {"input": batch})


def upload(url: str, file: Path) -> None:
    """Sends the file to the address of the batch, which needs no token."""
    response = requests.post(url, data=file.read_bytes(), headers={"content-type": "text/csv"}, timeout=TIMEOUT_SECONDS)
    if not response.ok:
        raise PadronError(f"The file is rejected: {response.text}")


def run(batch: dict, max_units: int, earlier: str | None) -> dict:
    """Starts or resumes the batch, and waits for its end. `earlier` says what to do with what earlier batches have answered."""
    limit = {"id": batch["id"], "maxUnits": max_units}
    if batch["state"] == "READY":
        change("Start", {**limit, "earlierAnswers": earlier})
    elif batch["state"] == "PAUSED":
        change("Resume", limit)
    return wait_while(batch["id"], "RUNNING")


def change(request: str, variables: dict) -> dict:
    """Returns the batch after a change. Raises an error if padron refused the change."""
    changed = ask(REQUESTS, variables, request)["data"]["change"]
    if changed["problems"]:
        raise PadronError(with_code(changed["problems"][0]))
    return changed["batch"]


def wait_while(batch_id: str, *states: str) -> dict:
    """Returns the batch when it has left these states. Asking is free."""
    while True:
        batch = ask(REQUESTS, {"id": batch_id}, "Status")["data"]["batch"]
        if batch["state"] not in states:
            return batch
        time.sleep(0.5)


def print_price(batch: dict) -> None:
    for row in batch["refusedRows"]:
        print(f"refused: line {row['line']}. {row['message']}")
    estimate = batch["estimate"]
    print(f"price: {estimate['estimatedUnits']} units for {estimate['rowCount']} rows, {estimate['invalidRows']} invalid")
    if batch["startProblem"]:
        raise PadronError(with_code(batch["startProblem"]))


def read_table(url: str) -> list[dict[str, str]]:
    """Reads the results, one JSON object per line, into a table with one row per employee."""
    with requests.get(url, timeout=TIMEOUT_SECONDS, stream=True) as response:
        response.raise_for_status()
        return [to_row(json.loads(line)) for line in response.iter_lines() if line]


def to_row(line: dict) -> dict[str, str]:
    person = (line["data"] or {}).get("person") or {}
    credit = person.get("credit")
    record = credit["record"] if credit and is_trusted(credit) else {}
    return {
        "employee": line["ref"] or "",
        "state": line["state"],
        "credit": {True: "yes", False: "no"}.get(record.get("hasCredit"), ""),
        "situation": record.get("situation") or "",
        "proof": (credit and credit["evidence"]["validationCode"]) or "",
        "problems": " ".join(problem["code"] for problem in line["problems"]),
    }


def print_table(rows: list[dict[str, str]]) -> None:
    header = {column: column for column in COLUMNS}
    widths = {column: max(len(row[column]) for row in (header, *rows)) for column in COLUMNS}
    for row in (header, *rows):
        print("  ".join(row[column].ljust(widths[column]) for column in COLUMNS).rstrip())


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    try:
        file, max_units, earlier = [*sys.argv[1:], None, None][:3]
        main(Path(file), None if max_units is None else int(max_units), earlier)
    except PadronError as error:
        sys.exit(str(error))
