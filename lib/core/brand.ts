const BRAND = Symbol.for("tessera.brand");

/**
 * Base class of the project's errors. Recognise one with its static `is`, never with `instanceof`: the production build
 * loads some modules more than once per process, and each copy has its own constructor.
 */
export abstract class BrandedError extends Error {
  protected constructor(brand: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = brand;
    Object.defineProperty(this, BRAND, { value: brand });
  }
}

/** Whether `thrown` is an error of this brand, from any copy of its module. */
export const hasBrand = (thrown: unknown, brand: string): boolean =>
  typeof thrown === "object" && thrown !== null && BRAND in thrown && thrown[BRAND] === brand;
