import type { SettingGroup } from './setting-group.ts'

export const TRACING_SETTINGS = {
  title: 'Traces',
  intro:
    'Standard settings of OpenTelemetry. Without an endpoint nothing is recorded ([monitoring](monitoring.md#traces)).',
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      fallback: 'none',
      description:
        'collector for traces, such as `http://127.0.0.1:4318`; spans are posted to `/v1/traces` below it',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      fallback: 'none',
      description: 'the same for traces only, to which spans are posted as it is',
    },
    OTEL_EXPORTER_OTLP_PROTOCOL: {
      fallback: 'http/protobuf',
      description: 'http/protobuf or http/json',
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      fallback: 'none',
      description: 'headers for the collector: `name=value`, separated by commas, values URL-encoded',
      isSecret: true,
    },
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
      fallback: 'none',
      description: 'the same for traces only; added to the others',
      isSecret: true,
    },
    OTEL_EXPORTER_OTLP_TIMEOUT: {
      fallback: '`10000`',
      description: 'milliseconds for a batch of spans',
    },
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: {
      fallback: '`10000`',
      description: 'the same for traces only',
    },
    OTEL_SERVICE_NAME: {
      fallback: '`glasses-cloud`',
      description: 'name of the service in traces',
    },
    OTEL_RESOURCE_ATTRIBUTES: {
      fallback: 'none',
      description:
        'further attributes of the service: `deployment.environment.name=home`, separated by commas',
    },
    OTEL_TRACES_SAMPLER: {
      fallback: '`parentbased_traceidratio`',
      description:
        'which traces are recorded: `always_on`, `always_off`, `traceidratio`, or one of them after `parentbased_`',
    },
    OTEL_TRACES_SAMPLER_ARG: {
      fallback: '`0.1`',
      description:
        'share of the traces that `traceidratio` records, from 0 to 1; 1 if `OTEL_TRACES_SAMPLER` is set',
    },
    OTEL_BSP_SCHEDULE_DELAY: {
      fallback: '`5000`',
      description: 'milliseconds between two batches of spans',
    },
  },
} as const satisfies SettingGroup
