{{/* The configuration files: the user's values, overridden by the chart's own. */}}

{{- define "tarn.config.common" -}}
role: {{ .component }}
admin: {host: 0.0.0.0, port: 9001, console: {{ and .root.Values.console.enabled (eq .component "gateway") }}{{ if eq .component "gateway" }}, gateways: ["{{ include "tarn.fullname" .root }}-gateway-pods:9001"]{{ end }}}
cluster:
  secret-file: /secrets/cluster/secret
  secret-id: {{ .root.Values.clusterSecret.id | quote }}
{{- if ne .component "control" }}
  control: {{ include "tarn.controlUrl" .root }}
{{- if .root.Values.control.tls.secretName }}
  control-ca: /secrets/control-ca/ca.crt
{{- end }}
{{- if .root.Values.memberTls.secretName }}
  tls-files: {certificate-chain: /secrets/member/tls.crt, private-key: /secrets/member/tls.key, authorities: /secrets/member/ca.crt}
{{- end }}
{{- end }}
{{- end -}}

{{- define "tarn.config.control" -}}
control:
  host: 0.0.0.0
  port: 9400
{{- if .Values.control.tls.secretName }}
  tls: {certificate-chain: /secrets/tls/tls.crt, private-key: /secrets/tls/tls.key}
{{- end }}
{{- end -}}

{{- define "tarn.config.gateway" -}}
{{- /* Without direct reads, clients do not wait for connections that the network policies block. */}}
{{- $shut := and .Values.networkPolicy.enabled (not .Values.networkPolicy.directReadNamespaces) }}
{{- if and $shut (not (hasKey (.Values.gateways.config.cluster | default dict) "direct-reads")) }}
cluster: {direct-reads: false}
{{- end }}
gateway:
  host: 0.0.0.0
  port: 9000
{{- with .Values.gateways.domains }}
  domains: {{- toYaml . | nindent 4 }}
{{- end }}
{{- if .Values.gateways.tls.secretName }}
  tls: {certificate-chain: /secrets/tls/tls.crt, private-key: /secrets/tls/tls.key}
{{- end }}
{{- end -}}

{{- define "tarn.config.target" -}}
disks:
{{- range $disk, $_ := .Values.targets.disks }}
  - /disks/{{ $disk }}/objects
{{- end }}
gateway: {host: 0.0.0.0, port: 9100}
{{- if .Values.memberTls.enabled }}
cluster: {tls: true, direct-read-port: 9101}
{{- end }}
{{- end -}}

{{/* Takes (dict "root" $ "component" NAME "role" VALUES). */}}
{{- define "tarn.config" -}}
{{- $common := include "tarn.config.common" . | fromYaml -}}
{{- $own := include (printf "tarn.config.%s" .component) .root | fromYaml -}}
{{- $whole := mergeOverwrite (deepCopy .role.config) $common $own -}}
{{- if contains "secret-access-key" (toJson $whole) -}}
{{- fail (printf "secrets must not be in the config of the role %s, which becomes a ConfigMap: give secret-access-key as an environment variable from a Secret (env), or declare backends" .component) -}}
{{- end -}}
{{- toYaml $whole -}}
{{- end -}}
