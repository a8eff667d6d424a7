/** Says what is wrong with a part of the cloud, in words fit for strangers; nothing if all is well. */
export type ReadinessCheck = () => Promise<string | undefined>

const checkDeadlineMs = 2_000

/** Whether this server should be given work. */
export class Readiness {
  #state: 'starting' | 'ready' | 'stopping' = 'starting'
  readonly #checks = new Map<string, ReadinessCheck>()

  /** Adds a part that must be well. */
  add(name: string, check: ReadinessCheck): void {
    this.#checks.set(name, check)
  }

  /** Start-up is over. */
  ready(): void {
    if (this.#state === 'starting') this.#state = 'ready'
  }

  /** The server is going down and stays so. */
  stopping(): void {
    this.#state = 'stopping'
  }

  /** Whether start-up is over and the end has not begun; says nothing of the parts. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Why the server should not be given work; empty if it should. */
  async reasons(): Promise<string[]> {
    if (this.#state !== 'ready') return [`the server is ${this.#state}`]
    const found = await Promise.all([...this.#checks].map(([name, check]) => outcomeOf(name, check)))
    return found.filter((reason) => reason !== undefined)
  }
}

async function outcomeOf(name: string, check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, checkDeadlineMs, 'does not answer')
  })
  try {
    const problem = await Promise.race([check(), late])
    return problem === undefined ? undefined : `${name}: ${problem}`
  } catch {
    return `${name}: not reachable`
  } finally {
    clearTimeout(timer)
  }
}
