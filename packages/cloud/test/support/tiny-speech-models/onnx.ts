import { parse } from 'protobufjs'

/** The messages of ONNX that a model with constants, nodes and metadata needs (github.com/onnx/onnx, onnx.proto3). */
const SCHEMA = `
  syntax = "proto3";
  package onnx;

  message ModelProto {
    int64 ir_version = 1;
    string producer_name = 2;
    GraphProto graph = 7;
    repeated OperatorSetIdProto opset_import = 8;
    repeated StringStringEntryProto metadata_props = 14;
  }
  message OperatorSetIdProto {
    string domain = 1;
    int64 version = 2;
  }
  message StringStringEntryProto {
    string key = 1;
    string value = 2;
  }
  message GraphProto {
    repeated NodeProto node = 1;
    string name = 2;
    repeated TensorProto initializer = 5;
    repeated ValueInfoProto input = 11;
    repeated ValueInfoProto output = 12;
  }
  message NodeProto {
    repeated string input = 1;
    repeated string output = 2;
    string op_type = 4;
    repeated AttributeProto attribute = 5;
  }
  message AttributeProto {
    enum AttributeType { UNDEFINED = 0; FLOAT = 1; INT = 2; INTS = 7; }
    string name = 1;
    float f = 2;
    int64 i = 3;
    repeated int64 ints = 8;
    AttributeType type = 20;
  }
  message TensorProto {
    repeated int64 dims = 1;
    int32 data_type = 2;
    string name = 8;
    bytes raw_data = 9;
  }
  message ValueInfoProto {
    string name = 1;
    TypeProto type = 2;
  }
  message TypeProto {
    message Tensor {
      int32 elem_type = 1;
      TensorShapeProto shape = 2;
    }
    Tensor tensor_type = 1;
  }
  message TensorShapeProto {
    message Dimension {
      oneof value { int64 dim_value = 1; string dim_param = 2; }
    }
    repeated Dimension dim = 1;
  }
`

const ModelProto = parse(SCHEMA, { keepCase: true }).root.lookupType('onnx.ModelProto')

/** Values of `TensorProto.DataType`. */
const DATA_TYPES = { float: 1, int32: 6, int64: 7 } as const
/** Values of `AttributeProto.AttributeType`. */
const ATTRIBUTE_TYPES = { float: 1, int: 2, ints: 7 } as const

/** Versions that every onnxruntime since 1.11 accepts. */
const IR_VERSION = 8
const OPERATOR_SET_VERSION = 17

export type DataType = keyof typeof DATA_TYPES
/** A number is a fixed length; a name stands for a length that each run chooses. */
export type Shape = readonly (number | string)[]
/** An integer, a list of integers, or a float. */
export type Attribute = number | readonly number[] | { readonly float: number }

/** Builds an ONNX model: inputs, constants, nodes, outputs and metadata. Every method that adds a value returns its name. */
export class OnnxGraph {
  readonly #name: string
  readonly #inputs: object[] = []
  readonly #outputs: object[] = []
  readonly #constants: object[] = []
  readonly #nodes: object[] = []

  constructor(name: string) {
    this.#name = name
  }

  input(name: string, type: DataType, shape: Shape): string {
    this.#inputs.push(valueInfo(name, type, shape))
    return name
  }

  /** Makes a value an output of the model, with the name `name`. Outputs keep the order of these calls. */
  output(name: string, value: string, type: DataType, shape: Shape): void {
    this.#nodes.push({ op_type: 'Identity', input: [value], output: [name] })
    this.#outputs.push(valueInfo(name, type, shape))
  }

  /** Adds a constant of floats; without `shape` it is one-dimensional. */
  floats(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.#constant('float', Float32Array.from(values), shape)
  }

  /** Adds a constant of 64-bit integers; without `shape` it is one-dimensional. */
  integers(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.#constant('int64', BigInt64Array.from(values.map(BigInt)), shape)
  }

  /** Adds a single 32-bit integer. */
  int32(value: number): string {
    return this.#constant('int32', Int32Array.of(value), [])
  }

  /** Adds a constant matrix, given as rows. */
  matrix(rows: readonly (readonly number[])[]): string {
    return this.floats(rows.flat(), [rows.length, rows[0]?.length ?? 0])
  }

  /** Adds a node with one output. */
  node(
    type: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    const output = `value${this.#nodes.length}`
    this.#nodes.push({
      op_type: type,
      input: inputs,
      output: [output],
      attribute: Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    })
    return output
  }

  /** Adds a node that cuts `value` along `axis`: from `start` to before `end`; a negative `end` counts from its end. */
  slice(value: string, axis: number, start: number, end = Number.MAX_SAFE_INTEGER): string {
    return this.node('Slice', [value, this.integers([start]), this.integers([end]), this.integers([axis])])
  }

  /** Adds a node that changes the type of `value`. */
  cast(value: string, type: DataType): string {
    return this.node('Cast', [value], { to: DATA_TYPES[type] })
  }

  /** Encodes the model as the content of an `.onnx` file. */
  encode(metadata: Readonly<Record<string, string | number>> = {}): Uint8Array {
    const model = {
      ir_version: IR_VERSION,
      producer_name: 'glasses-cloud',
      opset_import: [{ domain: '', version: OPERATOR_SET_VERSION }],
      graph: {
        name: this.#name,
        node: this.#nodes,
        initializer: this.#constants,
        input: this.#inputs,
        output: this.#outputs,
      },
      metadata_props: Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) })),
    }
    const problem = ModelProto.verify(model)
    if (problem !== null) throw new Error(`The model ${this.#name} is invalid: ${problem}`)
    return ModelProto.encode(model).finish()
  }

  #constant(
    type: DataType,
    values: Float32Array | Int32Array | BigInt64Array,
    shape: readonly number[],
  ): string {
    const count = shape.reduce((product, length) => product * length, 1)
    if (count !== values.length)
      throw new Error(`A constant of the shape ${shape.join(' × ')} has ${values.length} values.`)
    const name = `constant${this.#constants.length}`
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    this.#constants.push({ name, data_type: DATA_TYPES[type], dims: shape, raw_data: bytes })
    return name
  }
}

function attribute(name: string, value: Attribute): object {
  if (typeof value === 'number') return { name, type: ATTRIBUTE_TYPES.int, i: value }
  if ('float' in value) return { name, type: ATTRIBUTE_TYPES.float, f: value.float }
  return { name, type: ATTRIBUTE_TYPES.ints, ints: value }
}

function valueInfo(name: string, type: DataType, shape: Shape): object {
  const dim = shape.map((length) =>
    typeof length === 'number' ? { dim_value: length } : { dim_param: length },
  )
  return { name, type: { tensor_type: { elem_type: DATA_TYPES[type], shape: { dim } } } }
}
