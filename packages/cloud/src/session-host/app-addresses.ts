/** The network addresses of the live app sockets of the sessions of this process, to which app session ids are bound (SET-18). */
export class AppAddresses {
  readonly #addresses = new Map<string, { readonly address: string }>()

  /**
   * Adds the socket of an app, which replaces an earlier one.
   * @param address as returned by `networkOf`
   * @returns a function that removes it once the socket is closed
   */
  add(userSessionId: string, packageName: string, address: string): () => void {
    const key = keyOf(userSessionId, packageName)
    const entry = { address }
    this.#addresses.set(key, entry)
    return () => {
      if (this.#addresses.get(key) === entry) this.#addresses.delete(key)
    }
  }

  /** Returns the address of the app's live socket. */
  find(userSessionId: string, packageName: string): string | undefined {
    return this.#addresses.get(keyOf(userSessionId, packageName))?.address
  }
}

const keyOf = (userSessionId: string, packageName: string) => `${userSessionId}-${packageName}`
