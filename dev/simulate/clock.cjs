// Loaded before the server: its clock is moved by the simulation, over the channel between the two processes.
let ahead = Number(process.env.SIMULATED_CLOCK_AHEAD_MS ?? 0);
const RealDate = Date;

class MovedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + ahead);
    else super(...args);
  }
  static now() {
    return RealDate.now() + ahead;
  }
}
globalThis.Date = MovedDate;

if (process.send) {
  process.on("message", (message) => {
    if (typeof message?.aheadMs !== "number") return;
    ahead = message.aheadMs;
    process.send({ clock: message.number });
  });
  // The simulation has ended, however it did.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
}
