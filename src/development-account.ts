/** The first storage account: its name, and what it is made of where its keys are given. */
export interface DevelopmentAccount {
  readonly name: string;
  /** Base64. Undefined: the account has random keys of its own, which storage keeps. */
  readonly keys: readonly string[] | undefined;
}

/** The account that every storage emulator and SDK knows; its key is public knowledge. */
const WELL_KNOWN: DevelopmentAccount = {
  name: "devstoreaccount1",
  keys: [
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
  ],
};
const OWN: DevelopmentAccount = { name: "atollaccount1", keys: undefined };

/**
 * The account that Atoll comes with. The well-known one serves only while nothing but this
 * machine can reach Atoll.
 */
export function developmentAccount(isLoopback: boolean): DevelopmentAccount {
  return isLoopback ? WELL_KNOWN : OWN;
}
