import { notFound } from "next/navigation";
import { AppError } from "@/lib/core/errors";

/** For pages: the result of `work`, or Next's 404 page when it throws a not_found error. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    if (AppError.is(thrown) && thrown.kind === "not_found") notFound();
    throw thrown;
  }
}
