"use client";

export { default } from "../(checkout)/error";
