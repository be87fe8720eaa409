import { failures, type Remedies } from "@/lib/core/errors";

export const oauthErrors = failures({
  connection_not_found: ["not_found", "You have no such connection"],
  app_not_known: ["not_found", "This app is not registered here, or its metadata cannot be read"],
  app_request_refused: ["invalid", "The app's request is not complete"],
  too_many_connections: ["conflict", "You have connected 100 apps. Disconnect one first"],
});

export const oauthRemedies: Remedies = {
  connection_not_found: {
    cause: "The id is wrong, the connection has ended, or it belongs to another owner.",
    remedy: "`GET /api/connections` lists the open ones.",
  },
  app_not_known: {
    cause:
      "The `client_id` was never issued, was deleted because no owner connected it within 30 days, or is the URL of a document that did not answer or does not name itself.",
    remedy: "Let the app register again with `POST /oauth/register`, and start the connection in the app.",
  },
  app_request_refused: {
    cause: "A parameter of the authorization request is missing or wrong; `field` names it.",
    remedy: "Start the connection in the app again. It must use `response_type=code` and PKCE with S256.",
  },
  too_many_connections: {
    cause: "An owner can have 100 open connections.",
    remedy: "End those that you no longer use on the Agents page.",
  },
};
