import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { realEnvironment } from "#platform/environment.ts";
import { CALLBACK, identity, sentTo } from "../identity.fixture.ts";

suite("a failure while a token is signed", () => {
  test("is told to the application, without its cause", async () => {
    let isBroken = false;
    const newId = () => {
      if (isBroken) throw new Error("the ids have run out");
      return realEnvironment.newId();
    };
    const world = await identity({ environment: { ...realEnvironment, newId } });
    const user = world.newBrowser();
    await user.get("/login");
    await user.signIn(world.credentials);
    isBroken = true;
    const { to, fields } = sentTo(await user.get(world.authorizeUrl()));
    isBroken = false;
    const works = sentTo(await user.get(world.authorizeUrl()));
    await world.stop();
    assert.deepEqual(
      [to, fields],
      [
        CALLBACK,
        {
          error: "server_error",
          error_description: "Atoll failed to answer; its log holds the cause.",
          state: "s1",
        },
      ],
    );
    assert.match(String(works.fields["access_token"]), /^eyJ/);
  });
});
