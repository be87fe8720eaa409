import { expect, test } from "vitest";
import { createRoom } from "./room";

const open = () => createRoom({ requests: 100, answers: 400 });

test("a call holds what it may need until it leaves, and not more than there is room for", () => {
  const room = open();
  const seats = ["a", "b", "c", "d"].map((name) => room.seat({ buyer: name, seller: name }));
  for (const seat of seats) expect(seat.hold("answers", 100)).toBe(true);
  const late = room.seat({ buyer: "e", seller: "e" });
  expect([late.hold("answers", 1), room.heldBytes("answers")]).toEqual([false, 400]);
  seats[0]?.leave();
  expect([late.hold("answers", 100), room.heldBytes("answers")]).toEqual([true, 400]);
  for (const seat of [...seats, late]) seat.leave();
  expect(room.heldBytes("answers")).toBe(0);
});

test("a call that turns out smaller holds less, and nothing after it has left", () => {
  const room = open();
  const seat = room.seat({ buyer: "a", seller: "a" });
  expect([seat.hold("answers", 100), seat.hold("answers", 10), room.heldBytes("answers")]).toEqual([true, true, 10]);
  expect([seat.hold("requests", 5), room.heldBytes("requests")]).toEqual([true, 5]);
  seat.leave();
  seat.leave();
  expect([seat.hold("answers", 1), room.heldBytes("answers"), room.heldBytes("requests")]).toEqual([false, 0, 0]);
});

test("all calls on one pass get a share of their seller's", () => {
  const room = open();
  const seat = (buyer: string, pass?: string) => room.seat({ buyer, seller: "seller", pass });
  expect([seat("a", "pass").hold("answers", 50), seat("b", "pass").hold("answers", 1)]).toEqual([true, false]);
  expect([seat("c", "another pass").hold("answers", 25), seat("d").hold("answers", 25)]).toEqual([true, true]);
});

test("one buyer, or one seller, gets a share, and no buyer all of a seller's for what is not paid yet", () => {
  const room = open();
  const seat = (buyer: string, seller: string) => room.seat({ buyer, seller });
  const first = seat("buyer", "seller");
  expect([first.hold("answers", 100), first.hold("requests", 13), first.hold("requests", 12)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(seat("buyer", "another seller").hold("requests", 1)).toBe(false);
  expect(seat("buyer", "another seller").hold("answers", 1)).toBe(false);
  const second = seat("another buyer", "seller");
  expect([second.hold("answers", 1), second.hold("requests", 12)]).toEqual([false, true]);
  expect(seat("third buyer", "seller").hold("requests", 2)).toBe(false);
  expect(seat("third buyer", "another seller").hold("requests", 12)).toBe(true);
  // What was refused holds nothing.
  expect([room.heldBytes("requests"), room.heldBytes("answers")]).toEqual([36, 100]);
});
