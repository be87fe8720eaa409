import { describe, expect, test } from "vitest";
import { passDraftOf, readPass } from "./draft-pass";

const empty = passDraftOf();

describe("the form of a pass", () => {
  test("offers none if nothing is typed", () => {
    expect(readPass(empty)).toEqual({ type: "valid", pass: null });
    expect(readPass({ ...empty, passCalls: " ", isPassRefundable: true })).toEqual({ type: "valid", pass: null });
  });

  test.each([
    { calls: 1_000, hours: null, isByUse: false, amount: "5000000", isRefundable: true },
    { calls: null, hours: 24, isByUse: false, amount: "500000", isRefundable: false },
    { calls: 1_000_000, hours: 8_784, isByUse: false, amount: "1", isRefundable: false },
    { calls: null, hours: null, isByUse: true, amount: "5000000", isRefundable: true },
    { calls: null, hours: 24, isByUse: true, amount: "5000000", isRefundable: false },
  ])("offers %j as it was read", (pass) => {
    expect(readPass(passDraftOf(pass))).toEqual({ type: "valid", pass });
  });

  test("has no calls if it is by use, whatever was typed before", () => {
    const typed = { ...empty, passAmount: "5", passCalls: "1.5", isPassByUse: true };
    expect(readPass(typed)).toMatchObject({ type: "valid", pass: { calls: null, isByUse: true } });
  });

  test.each([
    [{ passCalls: "10" }, "passAmount"],
    [{ passCalls: "10", passAmount: "0" }, "passAmount"],
    [{ passAmount: "5" }, "passCalls"],
    [{ passAmount: "5", passCalls: "0" }, "passCalls"],
    [{ passAmount: "5", passCalls: "1.5" }, "passCalls"],
    [{ passAmount: "5", passCalls: "1000001" }, "passCalls"],
    [{ passAmount: "5", passHours: "8785" }, "passHours"],
    [{ passAmount: "5", passHours: "a day" }, "passHours"],
  ])("shows an error at the input of %j", (typed, field) => {
    const reading = readPass({ ...empty, ...typed });
    expect(reading.type === "invalid" && Object.keys(reading.faults)).toEqual([field]);
  });
});
