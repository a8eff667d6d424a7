/** The part of WebAssembly that the cloud uses: Node has it, but its types have not. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string }[]
  }
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Instance {
    readonly exports: object
    constructor(module: Module, imports: Readonly<Record<string, object>>)
  }
}
