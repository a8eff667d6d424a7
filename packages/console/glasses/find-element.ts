/** Finds an element of the page by its id. @throws {Error} if the page has none of this kind */
export function findElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}`)
  return element
}
