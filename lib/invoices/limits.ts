// This file must not import zod: browser forms import it, and zod probes for eval, which the CSP forbids.
export const LINES_MAX = 50;
export const LINE_MAX = 200;
export const ADDRESS_MAX = 500;
export const NOTE_MAX = 1000;
export const TAX_LABEL_MAX = 40;
export const NUMBER = /^[A-Za-z0-9][A-Za-z0-9./_-]{0,39}$/;
/** Up to 999,999,999.999. */
export const QUANTITY = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,3})?$/;
/** 0 to 100 with up to three decimals. */
export const PERCENT = /^(?:(?:0|[1-9]\d?)(?:\.\d{1,3})?|100(?:\.0{1,3})?)$/;
