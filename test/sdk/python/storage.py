"""Drives the blob service with an unmodified SDK; prints one line of JSON per check."""

import hashlib
import json
import os
import traceback
from datetime import datetime, timedelta, timezone

from azure.core import MatchConditions
from azure.core.exceptions import HttpResponseError
from azure.storage.blob import (
    AccountSasPermissions,
    BlobBlock,
    BlobLeaseClient,
    BlobSasPermissions,
    BlobServiceClient,
    BlobType,
    ContainerClient,
    ContainerSasPermissions,
    ContentSettings,
    ResourceTypes,
    generate_account_sas,
    generate_blob_sas,
    generate_container_sas,
)

ACCOUNT = os.environ["ACCOUNT"]
KEY = os.environ["ACCOUNT_KEY"]
URL = os.environ["ACCOUNT_URL"]
CHECKS = {}

service = BlobServiceClient(
    URL, credential={"account_name": ACCOUNT, "account_key": KEY}, retry_total=0
)


def check(function):
    CHECKS[function.__name__] = function
    return function


def container(name, **options):
    client = service.get_container_client(name)
    client.create_container(**options)
    return client


def in_an_hour():
    return datetime.now(timezone.utc) + timedelta(hours=1)


def signed(blob, permission="r"):
    token = generate_blob_sas(
        ACCOUNT,
        blob.container_name,
        blob.blob_name,
        account_key=KEY,
        permission=BlobSasPermissions.from_string(permission),
        expiry=in_an_hour(),
    )
    return f"{blob.url}?{token}"


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} is not {expected!r}")


def refused(status, code, work):
    try:
        work()
    except HttpResponseError as error:
        equal((error.status_code, error.error_code), (status, code))
    else:
        raise AssertionError(f"{status} {code} was expected")


@check
def append():
    blob = container("append").get_blob_client("dir one/day#1?.log")
    blob.create_append_blob(metadata={"kind": "log"})
    first = blob.append_block(b"hello ", appendpos_condition=0)
    second = blob.append_block(b"world", appendpos_condition=6, validate_content=True)
    fields = ("blob_append_offset", "blob_committed_block_count")
    equal([tuple(one[field] for field in fields) for one in (first, second)], [("0", 1), ("6", 2)])
    again = lambda: blob.append_block(b"world", appendpos_condition=6)
    refused(412, "AppendPositionConditionNotMet", again)
    too_long = lambda: blob.append_block(b"x", maxsize_condition=11)
    refused(412, "MaxBlobSizeConditionNotMet", too_long)
    equal(blob.download_blob().readall(), b"hello world")
    equal(blob.download_blob(offset=4, length=3).readall(), b"o w")
    properties = blob.get_blob_properties()
    equal((properties.blob_type, properties.size), (BlobType.APPENDBLOB, 11))
    equal(properties.metadata, {"kind": "log"})
    blob.upload_blob(b" again" * 10, blob_type=BlobType.APPENDBLOB)
    equal(blob.get_blob_properties().size, 71)
    blob.seal_append_blob()
    refused(409, "BlobIsSealed", lambda: blob.append_block(b"x"))


@check
def append_from_url():
    client = container("append-from-url")
    source = client.get_blob_client("source.bin")
    source.upload_blob(b"0123456789")
    blob = client.get_blob_client("target.log")
    blob.create_append_blob()
    whole = blob.append_block_from_url(signed(source))
    equal((whole["blob_append_offset"], whole["blob_committed_block_count"]), ("0", 1))
    md5 = hashlib.md5(b"234").digest()
    part = {"source_offset": 2, "source_length": 3}
    blob.append_block_from_url(signed(source), **part, source_content_md5=bytearray(md5))
    equal(blob.download_blob().readall(), b"0123456789234")
    wrong = lambda: blob.append_block_from_url(signed(source), source_content_md5=bytearray(md5))
    refused(400, "Md5Mismatch", wrong)
    unsigned = lambda: blob.append_block_from_url(source.url)
    refused(401, "CannotVerifyCopySource", unsigned)
    changed = {"source_etag": '"0x1"', "source_match_condition": MatchConditions.IfNotModified}
    refused(412, "SourceConditionNotMet", lambda: blob.append_block_from_url(signed(source), **changed))
    late = lambda: blob.append_block_from_url(signed(source), appendpos_condition=0)
    refused(412, "AppendPositionConditionNotMet", late)
    equal(blob.get_blob_properties().size, 13)


@check
def blocks():
    client = container("blocks")
    source = client.get_blob_client("source.bin")
    content = os.urandom(9 * 1024 * 1024)
    settings = ContentSettings(content_type="application/x-test", cache_control="no-cache")
    small = BlobServiceClient(
        URL,
        credential={"account_name": ACCOUNT, "account_key": KEY},
        max_single_put_size=1024 * 1024,
        max_block_size=2 * 1024 * 1024,
        max_chunk_get_size=1024 * 1024,
        max_single_get_size=1024 * 1024,
    ).get_blob_client("blocks", "source.bin")
    small.upload_blob(content, content_settings=settings, max_concurrency=3)
    found = small.download_blob(max_concurrency=3).readall()
    equal(hashlib.sha256(found).digest(), hashlib.sha256(content).digest())
    properties = source.get_blob_properties()
    equal(properties.content_settings.content_type, "application/x-test")
    committed, waiting = source.get_block_list("all")
    equal(([one.size for one in committed][-1], len(committed), waiting), (1024 * 1024, 5, []))

    blob = client.get_blob_client("listed.bin")
    blob.stage_block("aaaa", b"hello ", validate_content=True)
    blob.stage_block_from_url("bbbb", signed(source), source_offset=0, source_length=4)
    committed, waiting = blob.get_block_list("all")
    equal((committed, [one.id for one in waiting]), ([], ["aaaa", "bbbb"]))
    blob.commit_block_list([BlobBlock("bbbb"), BlobBlock("aaaa")], metadata={"made": "of blocks"})
    equal(blob.download_blob().readall(), content[:4] + b"hello ")
    refused(400, "InvalidBlockList", lambda: blob.commit_block_list([BlobBlock("cccc")]))
    made = client.get_blob_client("from-url.bin")
    made.upload_blob_from_url(signed(source))
    equal(made.get_blob_properties().size, len(content))
    refused(409, "BlobAlreadyExists", lambda: made.upload_blob(b"x"))


@check
def pages():
    client = container("pages")
    blob = client.get_blob_client("disk")
    blob.create_page_blob(4096, sequence_number=1)
    blob.upload_page(b"a" * 1024, offset=512, length=1024, validate_content=True)
    blob.clear_page(offset=512, length=512)
    equal([(one.start, one.end) for one in blob.list_page_ranges()], [(1024, 1535)])
    content = b"\0" * 1024 + b"a" * 512 + b"\0" * 2560
    equal(blob.download_blob().readall(), content)
    low = lambda: blob.upload_page(b"b" * 512, offset=0, length=512, if_sequence_number_lt=1)
    refused(412, "SequenceNumberConditionNotMet", low)
    source = client.get_blob_client("source")
    source.upload_blob(b"c" * 512)
    blob.upload_pages_from_url(signed(source), offset=0, length=512, source_offset=0)
    equal(blob.download_blob(offset=0, length=512).readall(), b"c" * 512)
    blob.resize_blob(512)
    equal((blob.get_blob_properties().size, blob.download_blob().readall()), (512, b"c" * 512))


@check
def leases():
    client = container("leases")
    blob = client.get_blob_client("a.log")
    blob.create_append_blob()
    lease = blob.acquire_lease(15)
    refused(412, "LeaseIdMissing", lambda: blob.append_block(b"x"))
    blob.append_block(b"x", lease=lease)
    refused(409, "LeaseAlreadyPresent", lambda: BlobLeaseClient(blob).acquire())
    lease.renew()
    lease.change("c0ffee00-0000-4000-8000-000000000001")
    equal(blob.get_blob_properties().lease.state, "leased")
    equal(lease.break_lease(0), 0)
    equal(blob.get_blob_properties().lease.state, "broken")
    blob.append_block(b"y")
    held = client.acquire_lease()
    refused(412, "LeaseIdMissing", client.delete_container)
    held.release()
    client.delete_container()


@check
def signatures():
    client = container("signatures")
    blob = client.get_blob_client("a.txt")
    blob.upload_blob(b"hello")
    account = generate_account_sas(
        ACCOUNT,
        KEY,
        resource_types=ResourceTypes(container=True, object=True),
        permission=AccountSasPermissions(read=True, list=True),
        expiry=in_an_hour(),
    )
    by_account = BlobServiceClient(URL, credential=account).get_container_client("signatures")
    equal([one.name for one in by_account.list_blobs()], ["a.txt"])
    equal(by_account.download_blob("a.txt").readall(), b"hello")
    denied = "AuthorizationPermissionMismatch"
    refused(403, denied, lambda: by_account.upload_blob("b.txt", b"x"))
    token = generate_container_sas(
        ACCOUNT,
        "signatures",
        account_key=KEY,
        permission=ContainerSasPermissions(read=True, create=True),
        expiry=in_an_hour(),
    )
    by_container = ContainerClient(URL, "signatures", credential=token)
    by_container.upload_blob("c.txt", b"new")
    equal(by_container.download_blob("c.txt").readall(), b"new")
    overwrite = lambda: by_container.upload_blob("c.txt", b"x", overwrite=True)
    refused(403, "UnauthorizedBlobOverwrite", overwrite)
    refused(403, denied, lambda: list(by_container.list_blobs()))
    other = {"account_name": ACCOUNT, "account_key": "A" * 86 + "=="}
    wrong = BlobServiceClient(URL, credential=other)
    refused(403, "AuthenticationFailed", lambda: list(wrong.list_containers()))


@check
def listing():
    client = container("listing", metadata={"of": "names"})
    names = ["a/1", "a/2", "b/1", "c & <d>", "é"]
    for name in names:
        client.upload_blob(name, b"x", metadata={"name": str(len(name))}, tags={"n": "1"})
    equal([one.name for one in client.list_blobs()], names)
    equal([one.name for one in client.list_blobs(name_starts_with="a/")], ["a/1", "a/2"])
    pages = client.list_blobs(results_per_page=2).by_page()
    equal([[one.name for one in page] for page in pages], [names[0:2], names[2:4], names[4:]])
    equal([one.name for one in client.walk_blobs(delimiter="/")], ["a/", "b/", "c & <d>", "é"])
    first = next(iter(client.list_blobs(include=["metadata", "tags", "snapshots"])))
    equal((first.metadata, first.tags, first.size), ({"name": "3"}, {"n": "1"}, 1))
    containers = service.list_containers(name_starts_with="listing", include_metadata=True)
    equal([(one.name, one.metadata) for one in containers], [("listing", {"of": "names"})])


@check
def tags():
    client = container("tags")
    blob = client.get_blob_client("a.txt")
    blob.upload_blob(b"hello", tags={"state": "open"})
    equal(blob.get_blob_tags(), {"state": "open"})
    found = service.find_blobs_by_tags("\"state\"='open' AND @container='tags'")
    equal([one.name for one in found], ["a.txt"])
    blob.set_blob_tags({"state": "closed", "by": "me"})
    equal([one.name for one in client.find_blobs_by_tags("\"state\"='closed'")], ["a.txt"])
    held = lambda: blob.delete_blob(if_tags_match_condition="\"state\"='open'")
    refused(412, "ConditionNotMet", held)
    blob.delete_blob(if_tags_match_condition="\"state\"='closed'")


@check
def copies_and_snapshots():
    client = container("copies")
    blob = client.get_blob_client("a.txt")
    etag = blob.upload_blob(b"first")["etag"]
    snapshot = blob.create_snapshot()
    stale = {"etag": '"0x1"', "match_condition": MatchConditions.IfNotModified}
    refused(412, "ConditionNotMet", lambda: blob.set_blob_metadata({"a": "b"}, **stale))
    fresh = {"etag": etag, "match_condition": MatchConditions.IfNotModified}
    blob.set_blob_metadata({"a": "b"}, **fresh)
    blob.upload_blob(b"second", overwrite=True)
    old = client.get_blob_client("a.txt", snapshot=snapshot["snapshot"])
    equal(old.download_blob().readall(), b"first")
    copy = client.get_blob_client("b.txt")
    equal(copy.start_copy_from_url(old.url)["copy_status"], "success")
    equal(copy.download_blob().readall(), b"first")
    refused(409, "SnapshotsPresent", blob.delete_blob)
    blob.delete_blob(delete_snapshots="include")
    equal(blob.exists(), False)
    refused(409, "ContainerAlreadyExists", client.create_container)


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
