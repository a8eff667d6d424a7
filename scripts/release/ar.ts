/** Writes an ar archive, the outer form of Debian packages: owned by root, with fixed modes. @param time epoch seconds */
export function arOf(members: readonly (readonly [name: string, content: Buffer])[], time: number): Buffer {
  const parts = members.flatMap(([name, content]) => {
    const fields = [name.padEnd(16), `${time}`.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)]
    const header = `${fields.join('')}${String(content.length).padEnd(10)}\`\n`
    const padding = content.length % 2 === 0 ? '' : '\n'
    return [Buffer.from(header, 'latin1'), content, Buffer.from(padding)]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts])
}
