"""Drives the query service with unmodified SDKs; prints one line of JSON per check."""

import datetime
import io
import json
import os
import traceback
from decimal import Decimal

from azure.kusto.data import (
    ClientRequestProperties,
    KustoClient,
    KustoConnectionStringBuilder,
)
from azure.kusto.data.data_format import DataFormat
from azure.kusto.data.exceptions import KustoServiceError
from azure.kusto.ingest import (
    IngestionProperties,
    IngestionStatus,
    KustoStreamingIngestClient,
    StreamDescriptor,
)

CONNECTION = KustoConnectionStringBuilder.with_aad_application_token_authentication(
    os.environ["CLUSTER_URI"], "admin"
)
CHECKS = {}

client = KustoClient(CONNECTION)


def check(function):
    CHECKS[function.__name__] = function
    return function


def equal(got, expected):
    assert got == expected, f"{got!r} is not {expected!r}"


def rows(answer):
    return [list(row) for row in answer.primary_results[0]]


@check
def types():
    text = "print a=1, s='x', t=1h, b=true, m=decimal(1.5), d=datetime(2026-01-02)"
    [[a, s, t, b, m, d]] = rows(client.execute_query("db", text))
    equal([a, s, t, b, m], [1, "x", datetime.timedelta(hours=1), True, Decimal("1.5")])
    equal((d.year, d.day, d.utcoffset()), (2026, 2, datetime.timedelta(0)))


@check
def commands():
    client.execute_mgmt("db", ".create-merge table T (a:long, b:string)")
    equal(rows(client.execute("db", ".show tables | project TableName")), [["T"]])


@check
def options():
    properties = ClientRequestProperties()
    properties.set_option("servertimeout", datetime.timedelta(minutes=1))
    properties.set_parameter("n", 5)
    text = "declare query_parameters(n:long); print n * 2"
    equal(rows(client.execute("db", text, properties)), [[10]])


@check
def refusals():
    for text, semantic in (("Nowhere | take 1", True), ("print (", False)):
        try:
            client.execute("db", text)
            raise AssertionError(f"{text} was not refused")
        except KustoServiceError as error:
            equal(error.is_semantic_error(), semantic)


@check
def truncation():
    properties = ClientRequestProperties()
    properties.set_option("truncationmaxrecords", 2)
    try:
        client.execute("db", "range x from 1 to 5 step 1", properties)
        raise AssertionError("the result was not cut")
    except KustoServiceError as error:
        assert "E_QUERY_RESULT_SET_TOO_LARGE" in str(error), str(error)


@check
def streaming():
    ingest = KustoStreamingIngestClient(CONNECTION)
    data = StreamDescriptor(io.BytesIO(b"1,one\n2,two\n"))
    done = ingest.ingest_from_stream(data, IngestionProperties("db", "T", DataFormat.CSV))
    equal(done.status, IngestionStatus.SUCCESS)
    answer = client.execute_streaming_query("db", "T | sort by a asc")
    tables = [[list(row) for row in table] for table in answer.iter_primary_results()]
    equal(tables, [[[1, "one"], [2, "two"]]])


def report(name, function):
    try:
        function()
        return {"name": name}
    except Exception:
        return {"name": name, "error": traceback.format_exc()}


def main():
    for name, function in CHECKS.items():
        print(json.dumps(report(name, function)), flush=True)


main()
