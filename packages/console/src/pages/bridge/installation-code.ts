/** A mini app, by the names of the parameters in its code. */
interface MiniAppAddress {
  /** The files of the mini app are below it. */
  readonly url: string
  readonly package: string
  readonly version: string
  readonly name: string
}

/** What the Mentra app reads from the code of a mini app to install it. */
export function installationCode(address: MiniAppAddress): string {
  const pairs = Object.entries(address).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `miniapp://release?${pairs.join('&')}`
}
