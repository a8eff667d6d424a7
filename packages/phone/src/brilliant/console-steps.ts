import type { Command, Step } from '../bluetooth/command.ts'
import { DATA, REPORT } from './messages.ts'

/**
 * Signals of the Lua console: break ends the running program, reset clears the Lua machine and runs the `main.lua` of the
 * wearer, if there is one (Brilliant docs, "Control Characters").
 */
export const SIGNALS = {
  break: signal('break', 0x03),
  reset: signal('reset', 0x04),
} as const

/** Time that a signal takes (brilliant_sdk, its Bluetooth client). */
export const SIGNAL_PAUSE_MS = 200

/** A program is refused below this length of a write: its upload would take minutes. */
export const MIN_WRITE_BYTES = 100
/** The longest value of a characteristic (Bluetooth Core Specification, Attribute Protocol). */
const MAX_WRITE_BYTES = 512

function signal(name: string, byte: number): Step {
  const command = { name, limitMs: 1000, repeats: 2, mustBeAnswered: true }
  return { command, bytes: Uint8Array.of(byte) }
}

/**
 * A Lua statement. What it prints comes back as text, as does an error (Brilliant docs, "Executing Lua Statements Over Bluetooth"). The
 * radio drops text while it is busy (frame-codebase, `luaport.h`), so a statement may be sent again: it must have no effect
 * the second time.
 */
function statement(name: string, lua: string, judge: Command['judge'], repeats = 2): Step {
  return {
    command: { name, judge, limitMs: 1000, repeats, mustBeAnswered: true },
    bytes: new TextEncoder().encode(lua),
  }
}

/** Asks for the longest data of a packet, one byte less than of a write (Brilliant docs, `frame.bluetooth.max_length`). */
export function askMaxLength(onAnswer: (bytes: number) => void): Step {
  return statement('length', "print('max'..frame.bluetooth.max_length())", (answer) => {
    const [, digits] = /^max(\d{1,4})/.exec(readText(answer)) ?? []
    if (digits === undefined) return judgeError(answer)
    onAnswer(Math.min(Number(digits), MAX_WRITE_BYTES))
    return 'done'
  })
}

/** Statements that collect a program in the memory of the glasses, where nothing of it outlasts a reset. */
export function uploadSteps(program: string, maxBytes: number): Step[] {
  const expect = (text: string) => (answer: Uint8Array) =>
    readText(answer).trim() === text ? 'done' : judgeError(answer)
  const begin = statement('upload', "s=''n=0 print('n0')", expect('n0'))
  const wrap = (part: string, number: number) =>
    `if n==${number} then s=s..'${part}'n=${number + 1} end print('n'..n)`
  const parts = splitEscaped(program, maxBytes - wrap('', 1000).length)
  return [
    begin,
    ...parts.map((part, number) => statement('upload', wrap(part, number), expect(`n${number + 1}`))),
  ]
}

/** Runs the collected program, which reports that it is ready. It is not sent again: the program may be running. */
export function runStep(): Step {
  const isReady = (answer: Uint8Array) => answer[0] === DATA && answer[1] === REPORT.ready
  return statement(
    'run',
    'local f,e=load(s)s=nil if f then f()else print(e)end',
    (answer) => (isReady(answer) ? 'done' : judgeError(answer)),
    0,
  )
}

/** Errors of a statement begin with the name of its text. Other text is of an earlier program. */
function judgeError(answer: Uint8Array): 'refused' | undefined {
  return readText(answer).startsWith('[string "') ? 'refused' : undefined
}

function readText(answer: Uint8Array): string {
  return answer[0] === DATA ? '' : new TextDecoder().decode(answer)
}

/** Splits ASCII text into parts of a Lua string, escaped, without cutting an escape sequence. */
function splitEscaped(text: string, maxBytes: number): string[] {
  const parts = ['']
  for (const character of text) {
    const escaped = character === '\n' ? '\\n' : character.replace(/['\\]/, '\\$&')
    const part = parts.at(-1) ?? ''
    if (part.length + escaped.length > maxBytes) parts.push(escaped)
    else parts[parts.length - 1] = part + escaped
  }
  return parts
}
