import { expect, test } from "vitest";
import { shownSpan } from "./spans";

test("a trace span shows its route, but no queries, other attributes, errors or links", () => {
  class Span {
    readonly name = "GET /approve?token=secret";
    readonly attributes = {
      "http.route": "/approve?token=secret",
      "http.target": "/approve?token=secret",
      "http.status_code": 200,
      "db.query.text": "select ? from x",
      "user.agent": "secret",
    };
    readonly events = [{ name: "exception", attributes: { "exception.message": "secret" } }];
    readonly links = ["secret"];
    readonly status = { code: 2, message: "secret" };
    readonly id = "1";
    spanContext() {
      return { spanId: this.id };
    }
  }
  const shown = shownSpan(new Span());
  const { name, attributes, events, links, status } = shown;
  expect({ name, attributes, events, links, status, id: shown.spanContext().spanId }).toEqual({
    name: "GET /approve",
    attributes: { "http.route": "/approve", "http.status_code": 200, "db.query.text": "select ? from x" },
    events: [],
    links: [],
    status: { code: 2 },
    id: "1",
  });
});
