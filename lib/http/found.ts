import { notFound } from "next/navigation";
import { AppError } from "@/lib/core/errors";

/** For pages: what a service found, or Next's 404 when it says that there is nothing for this visitor. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (AppError.is(thrown) && thrown.kind === "not_found") notFound();
    throw thrown;
  }
}
