import { describe, expect, test } from "vitest";
import { isServerList, parseServers } from "./db-hosts";

describe("a database connection string", () => {
  test.each([
    "postgres://u:p@db/tessera",
    "postgresql://u:p%40x@db:5432/tessera?sslmode=require",
    "postgres://postgres@127.0.0.1:5433/tessera",
  ])("with one server stays unchanged: %s", (text) => {
    expect(parseServers(text)).toEqual({ urls: [text], isReadWrite: false });
  });

  test("with several servers becomes one for each, with the same login, database and parameters", () => {
    expect(
      parseServers("postgres://u:p%2Cq@a:5432,b,[::1]:5434/tessera?target_session_attrs=read-write&sslmode=require"),
    ).toEqual({
      urls: [
        "postgres://u:p%2Cq@a:5432/tessera?sslmode=require",
        "postgres://u:p%2Cq@b/tessera?sslmode=require",
        "postgres://u:p%2Cq@[::1]:5434/tessera?sslmode=require",
      ],
      isReadWrite: true,
    });
  });

  test("may require a primary with one server, and does so with several", () => {
    expect(parseServers("postgres://a/x?target_session_attrs=primary")).toEqual({
      urls: ["postgres://a/x"],
      isReadWrite: true,
    });
    expect(parseServers("postgres://a,b/x")).toMatchObject({ isReadWrite: true });
  });

  test.each(["postgres://a,b/x?target_session_attrs=any", "postgres://a:port,b/x", "postgres://a b/x"])(
    "is refused: %s",
    (text) => expect(isServerList(text)).toBe(false),
  );
});
