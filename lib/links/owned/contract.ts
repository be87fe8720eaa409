import { z } from "zod";
import { agentErrors } from "@/lib/agents/errors";
import { endpoint } from "@/lib/core/endpoint";
import { agentId } from "@/lib/core/id-text";
import {
  BODY_BYTES_MAX,
  createBody,
  createLink,
  deleteLink,
  oneLink,
  params,
  updateBody,
  updateLink,
} from "../contract";
import { linkErrors } from "../errors";

const { LINK_NOT_FOUND, LINK_OF_INVOICE } = linkErrors.table;
const { agent_not_found } = agentErrors.table;

export const createOwnedLink = endpoint({
  method: "POST",
  path: "/api/agents/{agentId}/payment-links",
  summary: "Create a payment link for one of the owner's agents",
  description:
    "The same as `POST /api/payment-links` by the agent, for a person in the dashboard. The agent sees the link among its own, and can change it.",
  work: 10,
  auth: "owner",
  surface: "wallet",
  params: z.object({ agentId }),
  body: createBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { agent_not_found, ...createLink.errors },
  example: createLink.example,
});

export const updateOwnedLink = endpoint({
  method: "PATCH",
  path: "/api/agents/{agentId}/payment-links/{linkId}",
  summary: "Update a payment link of one of the owner's agents",
  description:
    "The same as `PATCH /api/payment-links/{linkId}` by the agent: price, network, reference and the buyer's choices cannot be changed.",
  work: 18,
  auth: "owner",
  surface: "wallet",
  params: params.extend({ agentId }),
  body: updateBody,
  bodyBytesMax: BODY_BYTES_MAX,
  response: oneLink,
  errors: { agent_not_found, ...updateLink.errors },
  example: updateLink.example,
});

export const deleteOwnedLink = endpoint({
  method: "DELETE",
  path: "/api/agents/{agentId}/payment-links/{linkId}",
  summary: "Delete a payment link of one of the owner's agents",
  description: "Its URL answers 404 from then on. Payments and their receipts are kept. It cannot be undone.",
  auth: "owner",
  surface: "wallet",
  params: params.extend({ agentId }),
  response: deleteLink.response,
  errors: { agent_not_found, LINK_NOT_FOUND, LINK_OF_INVOICE },
  example: deleteLink.example,
});
