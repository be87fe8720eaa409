// Loaded before the server. A connection to PROFILE_SOCKET profiles the process until its client ends it, and is sent the profile.
const { Session } = require("node:inspector");
const { createServer } = require("node:net");

const MICROSECONDS = 400;

createServer({ allowHalfOpen: true }, (socket) => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: MICROSECONDS });
  session.post("Profiler.start", () => socket.write("started\n"));
  socket.resume();
  socket.on("end", () =>
    session.post("Profiler.stop", (failure, answer) => {
      session.disconnect();
      socket.end(JSON.stringify(failure ?? answer.profile));
    }),
  );
})
  .listen(process.env.PROFILE_SOCKET)
  .unref();
