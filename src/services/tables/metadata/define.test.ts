import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { SET, startTables } from "../tables.fixture.ts";

const label = (text: string) => ({ LocalizedLabels: [{ Label: text, LanguageCode: 1033 }] });
const attribute = (type: string, SchemaName: string, more: object = {}) => ({
  "@odata.type": `Microsoft.Dynamics.CRM.${type}AttributeMetadata`,
  SchemaName,
  DisplayName: label(SchemaName),
  ...more,
});

const book = {
  SchemaName: "new_Book",
  DisplayName: label("Book"),
  OwnershipType: "UserOwned",
  Attributes: [
    attribute("String", "new_Title", { IsPrimaryName: true, MaxLength: 20 }),
    attribute("Integer", "new_Pages", { MinValue: 1, MaxValue: 5000 }),
  ],
};

suite("tables of users", () => {
  test("are defined, filled, extended, found again after a restart, and removed", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atoll-tables-"));
    const location = { kind: "sqlite", file: join(folder.path, "t.sqlite") } as const;
    const one = "/EntityDefinitions(LogicalName='new_book')";
    {
      await using tables = await startTables({ location });
      const made = await tables.ask("POST", "/EntityDefinitions", { body: book });
      assert.equal(made.status, 204);
      await tables.create("new_books", { new_title: "Moby-Dick", new_pages: 635 });
      const tooLong = await tables.ask("POST", "/new_books", {
        body: { new_title: "x".repeat(21) },
      });
      assert.equal(tooLong.code, "0x80044331");
      const isbn = attribute("String", "new_Isbn", { MaxLength: 13 });
      assert.equal((await tables.ask("POST", `${one}/Attributes`, { body: isbn })).status, 204);
      const key = { SchemaName: "new_byisbn", KeyAttributes: ["new_isbn"] };
      assert.equal((await tables.ask("POST", `${one}/Keys`, { body: key })).status, 204);
    }
    await using tables = await startTables({ location });
    const put = () =>
      tables.ask("PATCH", "/new_books(new_isbn='9780142437247')", {
        body: { new_title: "Moby Dick" },
        headers: { prefer: "return=representation" },
      });
    const [created, changed] = [await put(), await put()];
    assert.deepEqual([created.status, changed.status], [201, 200]);
    assert.equal(changed.json["new_isbn"], "9780142437247");
    const body = { new_isbn: "9780142437247", new_title: "Again" };
    const twice = await tables.ask("POST", "/new_books", { body });
    assert.deepEqual([twice.status, twice.code], [412, "0x80060892"]);
    const none = await tables.ask("PATCH", "/new_books(new_isbn='0')", {
      body: { new_title: "x" },
      headers: { "if-match": "*" },
    });
    assert.deepEqual([none.status, none.code], [404, "0x80060891"]);
    assert.equal((await tables.ask("DELETE", one)).status, 204);
    assert.equal((await tables.ask("GET", "/new_books")).status, 404);
  });

  test("refer to the rows of others", async () => {
    await using tables = await startTables();
    await tables.ask("POST", "/EntityDefinitions", { body: book });
    const relationship = {
      SchemaName: "new_opportunity_book",
      ReferencedEntity: "opportunity",
      ReferencingEntity: "new_book",
      CascadeConfiguration: { Delete: "RemoveLink" },
      Lookup: attribute("Lookup", "new_Opportunity"),
    };
    const made = await tables.ask("POST", "/RelationshipDefinitions", { body: relationship });
    assert.equal(made.status, 204);
    const id = await tables.create("new_books", {
      new_title: "b",
      new_Opportunity: { name: "nested" },
    });
    const row = await tables.ask("GET", `/new_books(${id})?$expand=new_Opportunity($select=name)`);
    const parent = row.json["new_Opportunity"] as Record<string, unknown>;
    assert.equal(parent["name"], "nested");
    await tables.ask("DELETE", `/opportunities(${String(parent["opportunityid"])})`);
    const after = await tables.ask("GET", `/new_books(${id})`);
    assert.equal(after.json["_new_opportunity_value"], null);
  });

  test("are refused where their names or types are not good, and to who may not", async () => {
    await using tables = await startTables();
    const post = async (body: object, who: "admin" | "user" = "admin") =>
      (await tables.ask("POST", "/EntityDefinitions", { body, who })).status;
    assert.equal(await post(book, "user"), 403);
    assert.equal(await post({ ...book, SchemaName: 'new_"; drop' }), 400);
    assert.equal(await post({ ...book, SchemaName: "svc_Book" }), 400);
    assert.equal(await post({ ...book, Attributes: [] }), 400);
    assert.equal(await post({ ...book, Attributes: [attribute("Image", "new_I")] }), 400);
    assert.equal(await post(book), 204);
    assert.equal(await post(book), 400);
    const builtIn = "/EntityDefinitions(LogicalName='opportunity')";
    assert.equal((await tables.ask("DELETE", builtIn)).status, 400);
    assert.equal((await tables.ask("GET", `/${SET}`)).status, 200);
  });
});
