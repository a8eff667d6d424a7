/** What a browser keeps of a page. Without it the console works, and forgets what the user chose. */
export interface Stored {
  /** The value under a key; undefined if there is none, or the browser denies storage. */
  read(key: string): string | undefined
  /** Keeps a value; undefined removes it. */
  write(key: string, value: string | undefined): void
}

/** @param find throws in browsers that deny storage, as where cookies are blocked */
function createStored(find: () => Storage): Stored {
  return {
    read(key) {
      try {
        return find().getItem(key) ?? undefined
      } catch {
        return undefined
      }
    },
    write(key, value) {
      try {
        if (value === undefined) find().removeItem(key)
        else find().setItem(key, value)
      } catch {
        // Denied, or full.
      }
    },
  }
}

/** Kept on this device between visits. */
export const onDevice = createStored(() => localStorage)

/** Kept for this tab over reloads. */
export const inTab = createStored(() => sessionStorage)
