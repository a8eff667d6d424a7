/**
 * Functions of the language that engines of 2020 lack, as some hosts of mini apps still have them, and that the phone uses.
 * Import this before anything else.
 */

const { hasOwnProperty: isOwn } = Object.prototype

Object.hasOwn ??= (value, key) => isOwn.call(value, key)

Array.prototype.at ??= function at<T>(this: T[], index: number): T | undefined {
  return this[index < 0 ? this.length + index : index]
}

String.prototype.replaceAll ??= function replaceAll(
  this: string,
  found: string | RegExp,
  replacement: never,
) {
  return typeof found === 'string' ? this.split(found).join(replacement) : this.replace(found, replacement)
}
