// A request without a body, as handlers read it. Most read its method, its URL and a few headers, which Node has already: building a
// `Request` takes longer than all of that. The rest of its members comes from one that is built when the first of them is read.

/** @typedef {import("node:http").IncomingMessage} Incoming */

class LightHeaders {
  #sent;
  #build;

  /** @param {Incoming["headers"]} sent @param {() => Headers} build */
  constructor(sent, build) {
    this.#sent = sent;
    this.#build = build;
  }

  /** @param {string} name */
  get(name) {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#sent, key) ? this.#sent[key] : undefined;
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  }

  /** @param {string} name */
  has(name) {
    return Object.hasOwn(this.#sent, name.toLowerCase());
  }

  get full() {
    return this.#build();
  }
}

class LightRequest {
  /** @type {Request | undefined} */
  #full;
  #build;
  method;
  url;
  headers;

  /** @param {Incoming} req @param {string} url @param {() => Request} build */
  constructor({ method = "GET", headers }, url, build) {
    this.method = method;
    this.url = url;
    this.headers = new LightHeaders(headers, () => this.full.headers);
    this.#build = build;
  }

  get full() {
    this.#full ??= this.#build();
    return this.#full;
  }
}

forwardRest(LightHeaders.prototype, Headers.prototype);
forwardRest(LightRequest.prototype, Request.prototype);

/** @param {object} light @param {object} full */
function forwardRest(light, full) {
  for (const name of Reflect.ownKeys(full)) {
    if (name in light) continue;
    Object.defineProperty(light, name, {
      /** @this {{ full: object }} */
      get() {
        const value = Reflect.get(this.full, name);
        return typeof value === "function" ? value.bind(this.full) : value;
      },
    });
  }
}

/**
 * @param {Incoming} req
 * @param {string} url
 * @param {() => Request} build
 */
export const lightRequest = (req, url, build) =>
  // All members of `Request` are there, by the loop above.
  /** @type {Request} */ (/** @type {unknown} */ (new LightRequest(req, url, build)));
