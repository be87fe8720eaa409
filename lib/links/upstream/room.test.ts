import { expect, test } from "vitest";
import { createRoom } from "./room";

const open = () => createRoom({ requests: 100, answers: 400 });

test("a call holds what it may need until it leaves, and not more than there is room for", () => {
  const room = open();
  const seats = ["a", "b", "c", "d"].map((buyer) => room.seat([buyer]));
  for (const seat of seats) expect(seat.hold("answers", 100)).toBe(true);
  const late = room.seat(["e"]);
  expect([late.hold("answers", 1), room.heldBytes("answers")]).toEqual([false, 400]);
  seats[0]?.leave();
  expect([late.hold("answers", 100), room.heldBytes("answers")]).toEqual([true, 400]);
  for (const seat of [...seats, late]) seat.leave();
  expect(room.heldBytes("answers")).toBe(0);
});

test("a call that turns out smaller holds less, and nothing after it has left", () => {
  const room = open();
  const seat = room.seat(["a"]);
  expect([seat.hold("answers", 100), seat.hold("answers", 10), room.heldBytes("answers")]).toEqual([true, true, 10]);
  expect([seat.hold("requests", 5), room.heldBytes("requests")]).toEqual([true, 5]);
  seat.leave();
  seat.leave();
  expect([seat.hold("answers", 1), room.heldBytes("answers"), room.heldBytes("requests")]).toEqual([false, 0, 0]);
});

test("one buyer, or one seller, gets a quarter", () => {
  const room = open();
  const [first, second] = [room.seat(["buyer", "seller"]), room.seat(["buyer", "another seller"])];
  expect([first.hold("requests", 25), second.hold("requests", 1)]).toEqual([true, false]);
  expect(room.seat(["another buyer", "seller"]).hold("requests", 1)).toBe(false);
  expect(room.seat(["another buyer", "another seller"]).hold("requests", 25)).toBe(true);
  // What was refused holds nothing.
  expect(room.heldBytes("requests")).toBe(50);
});
