import { expect, test } from "vitest";
import { toAddress } from "@/lib/core/address";
import { newId } from "@/lib/core/ids";
import { nextStep, viewerOf } from "./visit";

const [me, somebody] = [newId("owner"), newId("owner")];
const signedIn = {
  type: "owner",
  ownerId: me,
  address: toAddress("0x1234567890123456789012345678901234560006"),
} as const;

test.each([
  ["the signed-in owner", me, "owner"],
  ["another owner", somebody, "stranger"],
  ["no owner", null, "unlinked"],
] as const)("for a request that %s decides, a signed-in visitor gets the matching role", (_, decider, expected) => {
  expect(viewerOf(signedIn, decider)).toBe(expected);
});

test.each([me, null])("a visitor without a session is anonymous, whoever decides", (decider) => {
  expect(viewerOf({ type: "anonymous" }, decider)).toBe("anonymous");
});

test.each([
  [true, "anonymous", "sign_in"],
  [true, "unlinked", "claim"],
  [true, "owner", "decide"],
  [true, "stranger", "linked_elsewhere"],
  [false, "anonymous", "nothing"],
  [false, "unlinked", "nothing"],
  [false, "owner", "nothing"],
  [false, "stranger", "linked_elsewhere"],
] as const)("with undecided = %s and the viewer %s, the next step is %s", (isUndecided, visitor, expected) => {
  expect(nextStep(isUndecided, visitor)).toBe(expected);
});
