import { expect, test } from "vitest";
import { newOwner } from "../support/actors";
import { call } from "../support/http";
import { type Json, owned, signedMandate } from "../support/mandates";
import { shareService } from "../support/service";

shareService();

test("an owner can read a mandate's events, newest first and page by page; others cannot", async () => {
  const { owner, mandateId } = await signedMandate();
  await owned(owner, mandateId, "enabled", { isEnabled: false });
  await owned(owner, mandateId, "revoke");
  const read = async (query = "", by = owner) => {
    const response = await call("GET", `/api/mandates/${mandateId}/events${query}`, { session: by.session });
    return { status: response.status, ...(response.body as Json) } as Json;
  };

  const { status, events, nextCursor } = await read();
  expect([status, nextCursor]).toEqual(["ok", null]);
  const types = events.map(({ type }: Json) => type);
  expect(types).toEqual(["mandate.revoked", "mandate.disabled", "mandate.signed", "mandate.created"]);
  expect(events[0]).toMatchObject({ eventId: expect.stringMatching(/^evt_/), createdAt: expect.any(String) });

  const first = await read("?limit=2");
  const second = await read(`?limit=2&cursor=${first.nextCursor}`);
  expect([...first.events, ...second.events]).toEqual(events);
  expect(second.nextCursor).toBeNull();
  expect(await read("?limit=101")).toMatchObject({ code: "invalid_request", field: "limit" });
  expect(await read("", await newOwner())).toMatchObject({ code: "mandate_not_found" });
});
