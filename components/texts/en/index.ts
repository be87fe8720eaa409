export { common } from "./common";
export { footer } from "./footer";
export { invoice } from "./invoice";
export { offer } from "./offer";
export { page } from "./page";
export { payment } from "./payment";
export { receipt } from "./receipt";
export { wallet } from "./wallet";
