/** Runs a task and contains its exceptions. */
type Guard = (task: () => void) => void

/**
 * Wraps the ports of a session, so that every callback that is passed to one of their methods runs under the guard of
 * the session. A callback is a function, alone or as a method of a listener, which is a plain object; its result is
 * discarded. Members that are objects are ports too, and constant.
 */
export function guardCallbacks<Port extends object>(port: Port, guard: Guard): Port {
  const members = new Map<PropertyKey, unknown>()
  return new Proxy(port, {
    get(target, key) {
      const guarded = members.get(key)
      if (guarded !== undefined) return guarded
      // Of the target itself, because private fields do not belong to the proxy.
      const member: unknown = Reflect.get(target, key, target)
      if (typeof member === 'function')
        return (...args: unknown[]): unknown =>
          Reflect.apply(
            member,
            target,
            args.map((arg) => guardArgument(arg, guard)),
          )
      if (typeof member !== 'object' || member === null) return member
      members.set(key, guardMember(member, guard))
      return members.get(key)
    },
  })
}

function guardMember(member: unknown, guard: Guard): unknown {
  if (Array.isArray(member)) return member.map((each: unknown) => guardMember(each, guard))
  return typeof member === 'object' && member !== null ? guardCallbacks(member, guard) : member
}

function guardArgument(arg: unknown, guard: Guard): unknown {
  if (typeof arg === 'function')
    return (...args: unknown[]) => guard(() => void Reflect.apply(arg, undefined, args))
  if (!isListener(arg)) return arg
  return Object.fromEntries(Object.entries(arg).map(([key, value]) => [key, guardArgument(value, guard)]))
}

function isListener(arg: unknown): arg is object {
  if (typeof arg !== 'object' || arg === null || Object.getPrototypeOf(arg) !== Object.prototype) return false
  return Object.values(arg).some((value) => typeof value === 'function')
}
