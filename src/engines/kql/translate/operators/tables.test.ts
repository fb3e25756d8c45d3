import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { KqlError } from "../../kql-error.ts";
import { testKql } from "../../kql.fixture.ts";

async function library() {
  const kql = await testKql();
  const books = [
    { name: "label", type: "string" },
    { name: "year", type: "long" },
  ] as const;
  const makers = [
    { name: "name", type: "string" },
    { name: "born", type: "long" },
  ] as const;
  await kql.addTable("Books", books, "values ('Red Moon', 1990), ('Blue Sea', 2001)");
  await kql.addTable("BookMakers", makers, "values ('Ann Moon', 1955), ('Bob', 1990)");
  return kql;
}

suite("search", () => {
  test("looks for a word in every column of every table", async () => {
    await using kql = await library();
    assert.deepEqual(await kql.results('search "moon" | sort by $table asc'), [
      [
        "$table:string label:string year:long name:string born:long",
        ["BookMakers", "", null, "Ann Moon", 1955],
        ["Books", "Red Moon", 1990, "", null],
      ],
    ]);
  });

  test("takes parts of words, columns, cases and conditions", async () => {
    await using kql = await library();
    const found = async (search: string) =>
      (
        await kql.rows(
          `${search} 
            | project t=strcat(column_ifexists("label", ""), column_ifexists("name", ""))
            | sort by t asc`,
        )
      ).flat();
    assert.deepEqual(await found('search "mo*"'), ["Ann Moon", "Red Moon"]);
    assert.deepEqual(await found('search in (Books) "*oo*" or year > 2000'), [
      "Blue Sea",
      "Red Moon",
    ]);
    assert.deepEqual(await found('search kind=case_sensitive "moon"'), []);
    assert.deepEqual(await found('search name:"moon"'), ["Ann Moon"]);
    assert.deepEqual(await found('search "moon" and not("ann")'), ["Red Moon"]);
    assert.deepEqual(await kql.rows('Books | search "1990"'), [["search_arg0", "Red Moon", 1990]]);
  });
});

suite("find and union", () => {
  test("find shows the asked columns, and packs the others", async () => {
    await using kql = await library();
    assert.deepEqual(
      await kql.results("find in (Books, BookMakers) where year == 1990 or born == 1955"),
      [
        [
          "source_:string year:long born:long pack_:dynamic",
          ["Books", 1990, null, { label: "Red Moon" }],
          ["BookMakers", null, 1955, { name: "Ann Moon" }],
        ],
      ],
    );
    assert.deepEqual(
      await kql.results("find withsource=s in (Books) where year > 0 project label"),
      [["s:string label:string", ["Books", "Red Moon"], ["Books", "Blue Sea"]]],
    );
  });

  test("a wildcard stands for tables and views", async () => {
    await using kql = await library();
    assert.deepEqual(await kql.rows("union Book* | count"), [[4]]);
    assert.deepEqual(await kql.rows("union withsource=s B* | distinct s | sort by s asc"), [
      ["BookMakers"],
      ["Books"],
    ]);
    const view = "let Bound = view () { print label = 'Cover' };";
    assert.deepEqual(await kql.rows(`${view} union Boun* | count`), [[1]]);
  });
});

suite("top-nested", () => {
  const parts = `let Parts = datatable(a:string, b:string, n:long) [
    "x","p",10, "x","q",20, "y","p",30, "z","r",5, "y","q",1];`;

  test("ranks within the values of the level before, and sums up the others", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.results(`${parts} Parts
        | top-nested 2 of a with others="rest" by sum(n),
          top-nested 1 of b with others="less" by sum(n)
        | sort by a asc, b asc`),
      [
        [
          "a:string aggregated_a:long b:string aggregated_b:long",
          ["rest", 5, "less", 5],
          ["x", 30, "less", 10],
          ["x", 30, "q", 20],
          ["y", 31, "less", 1],
          ["y", 31, "p", 30],
        ],
      ],
    );
  });

  test("may keep all values, or the least", async () => {
    await using kql = await testKql();
    assert.deepEqual(
      await kql.rows(`${parts} Parts
        | top-nested of a by count(), top-nested 1 of b by m=max(n) asc | sort by a asc`),
      [
        ["x", 2, "p", 10],
        ["y", 2, "q", 1],
        ["z", 1, "r", 5],
      ],
    );
  });
});

suite("partition, invoke and assert-schema", () => {
  test("a subquery runs for each value by itself", async () => {
    await using kql = await testKql();
    const rows = "datatable(k:string, v:long)['a',1, 'a',2, 'b',9]";
    assert.deepEqual(await kql.rows(`${rows} | partition by k (top 1 by v) | sort by k asc`), [
      ["a", 2],
      ["b", 9],
    ]);
    assert.deepEqual(
      await kql.rows(`${rows} | partition hint.strategy=native by k (summarize sum(v) | extend x=1)
        | sort by sum_v asc`),
      [
        [3, 1],
        [9, 1],
      ],
    );
  });

  test("a function takes the table before it", async () => {
    await using kql = await testKql();
    const keep = "let keep = (T:(a:long), least:long) { T | where a >= least };";
    assert.deepEqual(
      await kql.results(`${keep} range a from 1 to 4 step 1 | extend b=a*a | invoke keep(3)`),
      [["a:long b:long", [3, 9], [4, 16]]],
    );
  });

  test("a schema that is not the asserted one is refused", async () => {
    await using kql = await testKql();
    assert.deepEqual(await kql.rows("print a=1 | assert-schema (a:long)"), [[1]]);
    await assert.rejects(kql.rows("print a=1 | assert-schema (a:string)"), KqlError);
  });
});

suite("parse-kv", () => {
  test("reads pairs by their delimiters, quoted or not", async () => {
    await using kql = await testKql();
    const parse = async (text: string, rest: string) =>
      (await kql.rows(`print t='${text}' | parse-kv t as ${rest} | project-away t`))[0];
    assert.deepEqual(
      await parse(
        "a=1; b = two words;c=x;a=9",
        "(a:long, b:string, d:string) with (pair_delimiter=';', kv_delimiter='=')",
      ),
      [1, "two words", ""],
    );
    assert.deepEqual(
      await parse(
        'a="x y" "b c"=(1)',
        "(a:string, ['b c']:long) " +
          "with (pair_delimiter=' ', kv_delimiter='=', quote='\"', quote='()')",
      ),
      ["x y", 1],
    );
    assert.deepEqual(
      await parse(
        "n=Jo Doe c=New York",
        "(n:string, c:string) with (pair_delimiter=' ', kv_delimiter='=', greedy=true)",
      ),
      ["Jo Doe", "New York"],
    );
    assert.deepEqual(await parse("[x] id:7, name: bob", "(id:long, name:string)"), [7, "bob"]);
    assert.deepEqual(
      await parse("id->7|name->bob", "(id:long) with (regex='(\\\\w+)->(\\\\w+)')"),
      [7],
    );
  });
});
