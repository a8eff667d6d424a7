/**
 * Lets tests of components run in Node: a DOM, and hooks that compile JSX with the bundler of the console. A test
 * imports this first, and then its components with `await import(…)`, which the hooks see.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { afterEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Window } from 'happy-dom'
import { transformSync } from 'rolldown/utils'

/** What Node has as well, but must be that of the DOM. */
const OF_DOM = new Set(['navigator', 'Event', 'EventTarget', 'CustomEvent', 'FormData', 'File', 'Blob'])

const window = new Window({ url: 'http://localhost:8080/' })
for (const name of Object.getOwnPropertyNames(window)) {
  if (name in globalThis && !OF_DOM.has(name)) continue
  const value = Reflect.get(window, name)
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

registerHooks({
  // As in the bundle of the console.
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier, { ...context, conditions: ['browser', ...context.conditions] }),
  load(url, context, nextLoad) {
    // Class names of style sheets are those of the source.
    if (url.endsWith('.module.css')) {
      const source = 'export default new Proxy({}, { get: (_, name) => name })'
      return { format: 'module', source, shortCircuit: true }
    }
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    const file = fileURLToPath(url)
    const { code } = transformSync(file, readFileSync(file, 'utf8'), { jsx: { runtime: 'automatic' } })
    return { format: 'module', source: code, shortCircuit: true }
  },
})

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const { cleanup } = await import('@testing-library/react')
afterEach(cleanup)
