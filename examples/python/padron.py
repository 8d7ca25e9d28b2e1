"""Sends operations to padron."""

import os
from collections.abc import Mapping

import requests

URL = os.environ.get("PADRON_URL", "http://127.0.0.1:4000/graphql")
TOKEN = os.environ.get("PADRON_TOKEN", "sandbox-token")
# Registries are often slow. padron stops waiting for them before this.
TIMEOUT_SECONDS = 120


class PadronError(Exception):
    """padron rejected the request, or the batch did not end."""


def ask(document: str, variables: dict, operation: str | None = None, headers: dict | None = None) -> dict:
    """Returns the body of the response."""
    return send(document, variables, operation, headers)[0]


def send(
    document: str, variables: dict, operation: str | None = None, headers: dict | None = None
) -> tuple[dict, Mapping[str, str]]:
    """Returns the body and the headers of the response. Does not repeat a request, because its calls may be charged again."""
    try:
        response = requests.post(
            URL,
            json={"query": document, "variables": variables, "operationName": operation},
            headers={"authorization": f"Bearer {TOKEN}", **(headers or {})},
            timeout=TIMEOUT_SECONDS,
        )
        body = response.json()
    except requests.RequestException as error:
        raise PadronError(f"No answer of padron from {URL} ({type(error).__name__}).") from error
    for error in body.get("errors", []):
        raise PadronError(with_code({"code": "", **error.get("extensions", {}), "message": error["message"]}))
    return body, response.headers


def with_code(problem: dict) -> str:
    return f"{problem['message']} ({problem['code']})"


def is_one_person(person: dict) -> bool:
    """Whether nothing shows that the answers are about different people. Otherwise, use none of the records."""
    lookups = (person["credit"], person["licences"])
    codes = {problem["code"] for lookup in lookups for problem in lookup["problems"]}
    return person["consistency"]["status"] != "CONFLICTING" and "IDENTITY_CONFLICT" not in codes


def is_trusted(lookup: dict) -> bool:
    """Whether the record may be used. A record that contradicts the question may belong to another person."""
    codes = {problem["code"] for problem in lookup["problems"]}
    return lookup["outcome"] == "FOUND" and not codes & {"ANSWER_MISMATCH", "IDENTITY_CONFLICT"}
