import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Question } from './servers/ask.ts'

/** A server under measurement, in a process of its own, so that the load's cost is not counted as the server's. */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child
    this.port = port
    this.#folder = folder
  }

  /** Starts `servers/<name>-server.ts` and waits until it listens. */
  static async start(name: 'bare' | 'cloud'): Promise<ServerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    const child = fork(fileURLToPath(new URL(`./servers/${name}-server.ts`, import.meta.url)), {
      execArgv: ['--expose-gc'],
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'silent' },
    })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return new ServerProcess(child, port, folder)
  }

  async ask<Answer = number>(question: Question): Promise<Answer> {
    const answered = once(this.#child, 'message')
    this.#child.send(question)
    return ((await answered)[0] as { answer: Answer }).answer
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
