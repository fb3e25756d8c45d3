// Appends a block from a URL with an unmodified SDK. Run it with the variables of `atoll env`.
import { BlobServiceClient } from "@azure/storage-blob";

const account = process.env.ATOLL_STORAGE_CONNECTION_STRING;
const logs = BlobServiceClient.fromConnectionString(account).getContainerClient("logs");
await logs.createIfNotExists({ access: "blob" });

const source = logs.getBlockBlobClient("hello.txt");
await source.uploadData(Buffer.from("hello, atoll\n"));

const day = logs.getAppendBlobClient("day.log");
await day.create();
await day.appendBlockFromURL(source.url, 0, 13);
const second = await day.appendBlockFromURL(source.url, 0, 13);
console.log(`block ${second.blobCommittedBlockCount} at byte ${second.blobAppendOffset}`);
console.log((await day.downloadToBuffer()).toString());
