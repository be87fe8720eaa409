import { notFound } from "next/navigation";

/** Addresses below /dashboard that no page has. Outside the dashboard's folder, whose loading state would be sent with status 200. */
export default function MissingPage() {
  notFound();
}
