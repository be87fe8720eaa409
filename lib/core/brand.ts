const BRAND = Symbol.for("tessera.brand");

/**
 * An error class of this project. Recognise one with its static `is`, never with `instanceof`: the production build loads
 * some modules more than once in a process, and each copy has a constructor of its own.
 */
export abstract class BrandedError extends Error {
  protected constructor(brand: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = brand;
    Object.defineProperty(this, BRAND, { value: brand });
  }
}

/** Whether `thrown` was made by the class of this brand, in whichever copy of it. */
export const hasBrand = (thrown: unknown, brand: string): boolean =>
  typeof thrown === "object" && thrown !== null && BRAND in thrown && thrown[BRAND] === brand;
