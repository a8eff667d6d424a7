import fengari, { type State } from 'fengari'
import type { Clock } from '../peripheral.ts'

const { lua, lauxlib, lualib, to_luastring, to_jsstring } = fengari

/** A program that executes so many instructions without a sleep is ended. */
const MAX_INSTRUCTIONS = 1_000_000

/** What a function of the glasses gives to a program. */
export type LuaValue = number | boolean | string | Uint8Array | undefined

/** A function of a program that the glasses call, or undefined where the program gave nil. */
export type LuaCallback = ((...values: LuaValue[]) => void) | undefined

/** The arguments of a call, from 1. Those of the wrong type raise an error in the program. */
export interface LuaArguments {
  integer(index: number): number
  number(index: number): number
  /** 0x00 to 0xff in each byte. */
  bytes(index: number): Uint8Array
  text(index: number): string
  /** @returns whether the argument is there */
  has(index: number): boolean
  boolean(index: number): boolean
  /** A field of a table; undefined if it is missing. */
  field(index: number, name: string): string | undefined
  callback(index: number): LuaCallback
}

/**
 * A Lua machine (fengari) with the libraries that the glasses have. It runs one program at a time: `frame.sleep` suspends it on
 * the clock, and a signal ends it.
 */
export class LuaMachine {
  readonly #clock: Clock
  readonly #state: State
  /** Suspended program: its coroutine, the timer that continues it, and who is told of its end. */
  #program: { thread: State; timer: unknown; onEnd: (error: string | undefined) => void } | undefined
  /** Raised as an error when the program continues. */
  #signal: string | undefined
  #sleepMs = 0

  constructor(clock: Clock, onPrint: (text: string) => void) {
    this.#clock = clock
    this.#state = lauxlib.luaL_newstate()
    const libraries = {
      _G: lualib.luaopen_base,
      coroutine: lualib.luaopen_coroutine,
      table: lualib.luaopen_table,
      string: lualib.luaopen_string,
      math: lualib.luaopen_math,
      utf8: lualib.luaopen_utf8,
    }
    for (const [name, open] of Object.entries(libraries)) {
      lauxlib.luaL_requiref(this.#state, to_luastring(name), open, 1)
      lua.lua_pop(this.#state, 1)
    }
    lua.lua_pushjsfunction(this.#state, (state) => {
      const parts = Array.from({ length: lua.lua_gettop(state) }, (_, index) => {
        const text = to_jsstring(lauxlib.luaL_tolstring(state, index + 1))
        lua.lua_pop(state, 1)
        return text
      })
      onPrint(parts.join('\t'))
      return 0
    })
    lua.lua_setglobal(this.#state, to_luastring('print'))
    lua.lua_newtable(this.#state)
    lua.lua_setglobal(this.#state, to_luastring('frame'))
    this.#defineSleep()
  }

  get isRunning(): boolean {
    return this.#program !== undefined
  }

  /** Defines `frame.<name>`, or `frame.<table>.<name>`. An exception becomes an error of the program. */
  define(path: string, run: (values: LuaArguments) => LuaValue): void {
    this.#set(path, (state) => {
      let result: LuaValue
      try {
        result = run(readArguments(this.#state, state))
      } catch (error) {
        if (error instanceof Error) return lauxlib.luaL_error(state, to_luastring(error.message))
        throw error
      }
      push(state, result)
      return 1
    })
  }

  /** Defines a constant `frame.<name>`. */
  constant(name: string, value: LuaValue): void {
    lua.lua_getglobal(this.#state, to_luastring('frame'))
    push(this.#state, value)
    lua.lua_setfield(this.#state, -2, to_luastring(name))
    lua.lua_pop(this.#state, 1)
  }

  /** Runs a program until it ends; `onEnd` gets its error. */
  run(source: string, onEnd: (error: string | undefined) => void): void {
    const thread = lua.lua_newthread(this.#state)
    const chunk = to_luastring(source)
    this.#program = { thread, timer: undefined, onEnd }
    if (lauxlib.luaL_loadbuffer(thread, chunk, chunk.length, chunk) !== lua.LUA_OK) {
      this.#end(topText(thread))
      return
    }
    this.#resume()
  }

  /** Raises an error in the running program. */
  signal(message: string): void {
    if (this.#program === undefined) return
    this.#clock.clearTimeout(this.#program.timer)
    this.#signal = message
    this.#resume()
  }

  /** Stops everything. */
  close(): void {
    this.#clock.clearTimeout(this.#program?.timer)
    this.#program = undefined
    lua.lua_close(this.#state)
  }

  #resume(): void {
    const program = this.#program
    if (program === undefined) return
    const { thread } = program
    lua.lua_sethook(
      thread,
      (state) => lauxlib.luaL_error(state, to_luastring('the program does not sleep')),
      lua.LUA_MASKCOUNT,
      MAX_INSTRUCTIONS,
    )
    const status = lua.lua_resume(thread, null, 0)
    if (status === lua.LUA_YIELD) {
      program.timer = this.#clock.setTimeout(() => this.#resume(), this.#sleepMs)
      return
    }
    this.#end(status === lua.LUA_OK ? undefined : topText(thread))
  }

  #end(error: string | undefined): void {
    const program = this.#program
    this.#program = undefined
    this.#signal = undefined
    // The coroutine is on the stack of the machine.
    lua.lua_settop(this.#state, 0)
    program?.onEnd(error)
  }

  #defineSleep(): void {
    this.#set('sleep', (state) => {
      this.#sleepMs = lauxlib.luaL_checknumber(state, 1) * 1000
      return lua.lua_yieldk(state, 0, 0, (resumed) => {
        const signal = this.#signal
        this.#signal = undefined
        return signal === undefined ? 0 : lauxlib.luaL_error(resumed, to_luastring(signal))
      })
    })
  }

  #set(path: string, run: (state: State) => number): void {
    const [name = '', table] = path.split('.').reverse()
    lua.lua_getglobal(this.#state, to_luastring('frame'))
    if (table !== undefined) {
      lua.lua_getfield(this.#state, -1, to_luastring(table))
      if (lua.lua_isnoneornil(this.#state, -1)) {
        lua.lua_pop(this.#state, 1)
        lua.lua_newtable(this.#state)
        lua.lua_pushvalue(this.#state, -1)
        lua.lua_setfield(this.#state, -3, to_luastring(table))
      }
    }
    lua.lua_pushjsfunction(this.#state, run)
    lua.lua_setfield(this.#state, -2, to_luastring(name))
    lua.lua_settop(this.#state, 0)
  }
}

function readArguments(machine: State, state: State): LuaArguments {
  return {
    integer: (index) => lauxlib.luaL_checkinteger(state, index),
    number: (index) => lauxlib.luaL_checknumber(state, index),
    bytes: (index) => lauxlib.luaL_checkstring(state, index).slice(),
    text: (index) => new TextDecoder().decode(lauxlib.luaL_checkstring(state, index)),
    has: (index) => !lua.lua_isnoneornil(state, index),
    boolean: (index) => lua.lua_toboolean(state, index),
    field: (index, name) => {
      if (!lua.lua_istable(state, index)) return undefined
      lua.lua_getfield(state, index, to_luastring(name))
      const value = lua.lua_tostring(state, -1)
      lua.lua_pop(state, 1)
      return value === null ? undefined : to_jsstring(value)
    },
    callback: (index) => {
      if (lua.lua_isnoneornil(state, index)) return undefined
      if (!lua.lua_isfunction(state, index)) throw new Error('expected nil or function')
      lua.lua_pushvalue(state, index)
      const reference = lauxlib.luaL_ref(state, lua.LUA_REGISTRYINDEX)
      return (...values) => {
        const thread = lua.lua_newthread(machine)
        lua.lua_rawgeti(thread, lua.LUA_REGISTRYINDEX, reference)
        for (const value of values) push(thread, value)
        const status = lua.lua_pcall(thread, values.length, 0, 0)
        lua.lua_pop(machine, 1)
        if (status !== lua.LUA_OK) throw new Error(topText(thread))
      }
    },
  }
}

function push(state: State, value: LuaValue): void {
  if (value === undefined) lua.lua_pushnil(state)
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value)
  else if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value))
  else if (typeof value !== 'number') lua.lua_pushstring(state, value)
  else if (Number.isInteger(value)) lua.lua_pushinteger(state, value)
  else lua.lua_pushnumber(state, value)
}

function topText(state: State): string {
  const text = lua.lua_tostring(state, -1)
  return text === null ? 'error' : to_jsstring(text)
}
