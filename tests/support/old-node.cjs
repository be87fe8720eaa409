// Node before 20.20.2, 22.22.2 and 24.14.1: reading distinct headers fails when one is named like a property that every object has.
const { IncomingMessage } = require("node:http");

const { _addHeaderLineDistinct: addDistinct, _addHeaderLine: add } = IncomingMessage.prototype;
IncomingMessage.prototype._addHeaderLineDistinct = function (name, value, headers) {
  if (name.toLowerCase() in {}) throw new TypeError("dest[field].push is not a function");
  addDistinct.call(this, name, value, headers);
};

// A header that makes others unreadable, as a fault that is not known yet.
IncomingMessage.prototype._addHeaderLine = function (name, value, headers) {
  add.call(this, name, value, headers);
  if (name !== "X-Unreadable") return;
  Object.defineProperty(headers, "x-forwarded-for", {
    get() {
      throw new TypeError("unreadable");
    },
  });
};
