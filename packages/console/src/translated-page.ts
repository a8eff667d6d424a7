/**
 * Lets React go on in a page that the browser, or an extension, has translated: it replaces texts by elements of its own.
 * React would look for a text where it is no longer, and end the whole page (facebook/react#11538). Call once at start.
 */
export function allowTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    return child.parentNode === this ? (removeChild.call(this, child) as T) : child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, next: Node | null): T {
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as T
  }
}
