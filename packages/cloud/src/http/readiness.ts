/** A part of the cloud that must work for the server to accept requests; `GET /readyz` and `doctor` run the same. */
export interface ReadinessCheck {
  /** Unique; shown before the problem. */
  readonly name: string
  /** Resolves with the problem, in words that may be shown to anyone, or with undefined. */
  run(): Promise<string | undefined>
}

/** Time a check may take. */
const CHECK_TIMEOUT_MS = 2_000

/** Whether this server accepts requests: its state, and the checks of its parts. */
export class Readiness {
  #state: 'starting' | 'ready' | 'stopping' = 'starting'
  readonly #checks: ReadinessCheck[] = []

  add(...checks: readonly ReadinessCheck[]): void {
    this.#checks.push(...checks)
  }

  /** Marks the end of start-up. */
  ready(): void {
    if (this.#state === 'starting') this.#state = 'ready'
  }

  /** Marks the beginning of the shutdown. Cannot be undone. */
  stopping(): void {
    this.#state = 'stopping'
  }

  /** Whether start-up is over and the shutdown has not begun; runs no checks. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /** Returns why the server is not ready; empty if it is. */
  async reasons(): Promise<string[]> {
    if (this.#state !== 'ready') return [`the server is ${this.#state}`]
    const problems = [...(await this.check()).values()]
    return problems.filter((problem) => problem !== undefined)
  }

  /** Runs the checks. @returns the problem of each, undefined if there is none, by the name of the check */
  async check(): Promise<ReadonlyMap<string, string | undefined>> {
    return new Map(
      await Promise.all(this.#checks.map(async (check) => [check.name, await problemOf(check)] as const)),
    )
  }
}

async function problemOf({ name, run }: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, 'does not respond')
  })
  try {
    const problem = await Promise.race([run(), late])
    return problem === undefined ? undefined : `${name}: ${problem}`
  } catch {
    return `${name}: not reachable`
  } finally {
    clearTimeout(timer)
  }
}
