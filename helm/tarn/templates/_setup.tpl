{{/* The environment of commands that call the admin API. */}}
{{- define "tarn.clientEnvironment" -}}
- name: TARN_ADMIN_URL
  value: http://{{ include "tarn.fullname" . }}-gateway-admin:9001
{{ include "tarn.adminEnvironment" . }}
{{- end -}}

{{/* The declaration for `tarn apply`. */}}
{{- define "tarn.declared" -}}
{{- $users := list -}}
{{- $userNames := list -}}
{{- range .Values.users -}}
{{- if has .name $userNames -}}
{{- fail (printf "the user %s is declared twice" .name) -}}
{{- end -}}
{{- $userNames = append $userNames .name -}}
{{- $users = append $users (dict "name" .name "admin" (.admin | default false) "credentials" (printf "/secrets/users/%s" .name)) -}}
{{- end -}}
{{- $backends := list -}}
{{- $backendNames := list -}}
{{- range .Values.backends -}}
{{- $backend := omit . "existingSecret" -}}
{{- if .existingSecret -}}
{{- $_ := set $backend "credentials" (printf "/secrets/backends/%s" .name) -}}
{{- end -}}
{{- $backends = append $backends $backend -}}
{{- $backendNames = append $backendNames .name -}}
{{- end -}}
{{- range .Values.buckets -}}
{{- if and .backend (not (has .backend.name $backendNames)) -}}
{{- fail (printf "bucket %s caches the backend %s, which is not among the backends" .name .backend.name) -}}
{{- end -}}
{{- end -}}
{{- toYaml (dict "users" $users "backends" $backends "buckets" .Values.buckets) -}}
{{- end -}}
