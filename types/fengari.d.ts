/** The few members of the Lua machine that the device models use. */
declare module 'fengari' {
  /** Lua state, or a coroutine of one. */
  type State = object
  type LuaString = Uint8Array
  type JsFunction = (state: State) => number
  type Continuation = (state: State, status: number, context: number) => number

  interface Lua {
    readonly LUA_OK: number
    readonly LUA_YIELD: number
    readonly LUA_REGISTRYINDEX: number
    readonly LUA_MASKCOUNT: number
    lua_close(state: State): void
    lua_newthread(state: State): State
    lua_newtable(state: State): void
    lua_getglobal(state: State, name: LuaString): number
    lua_setglobal(state: State, name: LuaString): void
    lua_getfield(state: State, index: number, name: LuaString): number
    lua_setfield(state: State, index: number, name: LuaString): void
    lua_rawgeti(state: State, index: number, key: number): number
    lua_pushjsfunction(state: State, run: JsFunction): void
    lua_pushboolean(state: State, value: boolean): void
    lua_pushinteger(state: State, value: number): void
    lua_pushnumber(state: State, value: number): void
    lua_pushnil(state: State): void
    lua_pushstring(state: State, value: LuaString): LuaString
    lua_pushvalue(state: State, index: number): void
    lua_pop(state: State, count: number): void
    lua_settop(state: State, index: number): void
    lua_gettop(state: State): number
    lua_isfunction(state: State, index: number): boolean
    lua_isnoneornil(state: State, index: number): boolean
    lua_istable(state: State, index: number): boolean
    lua_toboolean(state: State, index: number): boolean
    lua_tonumber(state: State, index: number): number
    lua_tostring(state: State, index: number): LuaString | null
    lua_pcall(state: State, args: number, results: number, handler: number): number
    lua_resume(state: State, from: State | null, args: number): number
    lua_yieldk(state: State, results: number, context: number, run: Continuation): number
    lua_sethook(state: State, hook: (state: State) => void, mask: number, count: number): void
  }

  interface Auxiliary {
    luaL_newstate(): State
    luaL_requiref(state: State, name: LuaString, open: JsFunction, isGlobal: number): void
    luaL_loadbuffer(state: State, chunk: LuaString, length: number, name: LuaString): number
    luaL_ref(state: State, table: number): number
    luaL_unref(state: State, table: number, reference: number): void
    luaL_error(state: State, message: LuaString): never
    luaL_checkinteger(state: State, index: number): number
    luaL_checknumber(state: State, index: number): number
    luaL_checkstring(state: State, index: number): LuaString
    luaL_tolstring(state: State, index: number): LuaString
  }

  interface Library {
    luaopen_base: JsFunction
    luaopen_coroutine: JsFunction
    luaopen_table: JsFunction
    luaopen_string: JsFunction
    luaopen_math: JsFunction
    luaopen_utf8: JsFunction
  }

  const fengari: {
    readonly lua: Lua
    readonly lauxlib: Auxiliary
    readonly lualib: Library
    to_luastring(text: string): LuaString
    to_jsstring(text: LuaString): string
  }
  export default fengari
  export type { State }
}
