{{- define "tarn.fullname" -}}
{{- if regexMatch "^[0-9]" (default .Release.Name .Values.fullnameOverride) -}}
{{- fail (printf "the name %s begins with a digit, which names of Services must not: give another release name or fullnameOverride" (default .Release.Name .Values.fullnameOverride)) -}}
{{- end -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tarn.image" -}}
{{- $repository := required "image.repository must be given: the image is in no public registry" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The labels that select pods. Takes (dict "root" $ "component" NAME). */}}
{{- define "tarn.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "tarn.labels" -}}
{{ include "tarn.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end -}}

{{- define "tarn.controlUrl" -}}
{{ ternary "https" "http" (ne .Values.control.tls.secretName "") }}://{{ include "tarn.fullname" . }}-control.{{ .Release.Namespace }}.svc:9400
{{- end -}}

{{- define "tarn.clusterSecretName" -}}
{{ .Values.clusterSecret.existingSecret | default (printf "%s-cluster" (include "tarn.fullname" .)) }}
{{- end -}}

{{- define "tarn.adminSecretName" -}}
{{ .Values.admin.existingSecret | default (printf "%s-admin" (include "tarn.fullname" .)) }}
{{- end -}}

{{/* The Secret of a user. Takes (dict "root" $ "user" USER). */}}
{{- define "tarn.userSecretName" -}}
{{ .user.existingSecret | default (printf "%s-user-%s" (include "tarn.fullname" .root) .user.name) }}
{{- end -}}

{{/*
Annotations that restart pods when their configuration or a given Secret changes. Secrets that the
chart generated do not change. Takes (dict "root" $ "component" NAME "role" VALUES "secrets" NAMES).
*/}}
{{- define "tarn.checksums" -}}
checksum/config: {{ include "tarn.config" . | sha256sum }}
{{- range $secret := compact .secrets }}
{{- with lookup "v1" "Secret" $.root.Release.Namespace $secret }}
checksum/secret-{{ $secret }}: {{ toJson .data | sha256sum }}
{{- end }}
{{- end }}
{{- with .role.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The parts that the pods of all roles share. Takes (dict "root" $ "role" VALUES "component" NAME). */}}
{{- define "tarn.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: {type: RuntimeDefault}
{{- with .role.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .role.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .role.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .role.terminationGracePeriodSeconds }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
{{- include "tarn.placement" . }}
{{- end -}}

{{/* The placement of a role's pods on nodes. */}}
{{- define "tarn.placement" -}}
{{- $labels := include "tarn.selector" . | fromYaml -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" $labels) -}}
{{- if eq (.role.antiAffinity | default "none") "required" }}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution: {{- toYaml (list $term) | nindent 6 }}
{{- else if eq (.role.antiAffinity | default "none") "preferred" }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution: {{- toYaml (list (dict "weight" 100 "podAffinityTerm" $term)) | nindent 6 }}
{{- end }}
{{- with .role.topologySpreadConstraints }}
topologySpreadConstraints:
{{- range . }}
  - {{- toYaml (merge (dict "labelSelector" (dict "matchLabels" $labels)) .) | nindent 4 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The parts that all containers share. Takes (dict "root" $ "resources" RESOURCES). */}}
{{- define "tarn.container" -}}
image: {{ include "tarn.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
resources: {{- toYaml .resources | nindent 2 }}
{{- end -}}

{{/*
Probes of the admin listener, which opens after the log is replayed and has its own event loop.
Startup allows a week for the replay. Readiness means that the pod can serve. Liveness fails after
two minutes without an answer.
*/}}
{{- define "tarn.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 1
  timeoutSeconds: 5
  failureThreshold: 604800
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 2
livenessProbe:
  httpGet: {path: /healthz, port: admin}
  periodSeconds: 20
  timeoutSeconds: 15
  failureThreshold: 6
{{- end -}}

{{/* The credentials of the first admin as environment variables. */}}
{{- define "tarn.adminEnvironment" -}}
- name: TARN_ACCESS_KEY
  valueFrom: {secretKeyRef: {name: {{ include "tarn.adminSecretName" . }}, key: access-key}}
- name: TARN_SECRET_KEY
  valueFrom: {secretKeyRef: {name: {{ include "tarn.adminSecretName" . }}, key: secret-key}}
{{- end -}}

{{/* Mounts of the cluster secret, of the CA of the control plane's https, and of given certificates. */}}
{{- define "tarn.memberMounts" -}}
- {name: config, mountPath: /etc/tarn, readOnly: true}
- {name: cluster-secret, mountPath: /secrets/cluster, readOnly: true}
{{- if .Values.control.tls.secretName }}
- {name: control-ca, mountPath: /secrets/control-ca, readOnly: true}
{{- end }}
{{- if .Values.memberTls.secretName }}
- {name: member, mountPath: /secrets/member, readOnly: true}
{{- end }}
{{- end -}}

{{/* The volumes of these mounts. Takes (dict "root" $ "component" NAME). */}}
{{- define "tarn.memberVolumes" -}}
- name: config
  configMap: {name: {{ include "tarn.fullname" .root }}-{{ .component }}}
- name: cluster-secret
  secret: {secretName: {{ include "tarn.clusterSecretName" .root }}, defaultMode: 0440, items: [{key: secret, path: secret}]}
{{- with .root.Values.control.tls.secretName }}
- name: control-ca
  secret: {secretName: {{ . }}, defaultMode: 0440, items: [{key: ca.crt, path: ca.crt}]}
{{- end }}
{{- with .root.Values.memberTls.secretName }}
- name: member
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end -}}

{{/* A volume of this size and class. */}}
{{- define "tarn.volumeClaim" -}}
accessModes: [ReadWriteOnce]
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources: {requests: {storage: {{ .size }}}}
{{- end -}}
