import type { Sayings } from "./said";
import { CREATED, OK, VIEW } from "./values";

const view = {
  viewId: VIEW,
  list: "payments_received",
  name: "Refunded in November",
  filters: { status: "refunded", from: "2026-11-01", to: "2026-11-30" },
  createdAt: CREATED,
};

export const SAVED_VIEWS: Sayings = {
  listSavedViews: {
    description:
      "The names are the owner's, and nobody else sees them. A saved filter is not checked again: it can name an agent that was deleted since.",
    responses: { 200: { ...OK, views: [view] } },
  },
  saveView: {
    description:
      "`filters` has the query parameters of the list's CSV: `GET /api/wallet/payments.csv` for `payments_made`, `GET /api/wallet/sales.csv` for `payments_received`. Each must be valid there, and there must be at least one.",
    request: { list: view.list, name: view.name, filters: view.filters },
    responses: { 201: { ...OK, view } },
  },
  renameView: {
    description: "The filters stay as they are. To change them, save another view.",
    request: { name: "Refunds" },
    responses: { 200: { ...OK, view: { ...view, name: "Refunds" } } },
  },
  deleteView: {
    description: "It cannot be undone, but the same filters can be saved again.",
    responses: { 200: OK },
  },
};
