{{- define "ptxfarm.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "ptxfarm.fullname" -}}
{{- if contains (include "ptxfarm.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "ptxfarm.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* What selects the pods of a role: (dict "root" $ "role" "server") */ -}}
{{- define "ptxfarm.selector" -}}
app.kubernetes.io/name: {{ include "ptxfarm.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "ptxfarm.labels" -}}
{{ include "ptxfarm.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- /* (dict "root" $ "role" "server" "image" .Values.server.image) */ -}}
{{- define "ptxfarm.image" -}}
{{- printf "%s:%s" .image.repository (default .root.Chart.AppVersion .image.tag) -}}
{{- end -}}

{{- /*
The options of a program as its flags: a list becomes the flag once a value, true and false a switch. An option that is null or
empty keeps the program's default.
*/ -}}
{{- define "ptxfarm.flags" -}}
{{- range $name, $value := . }}
{{- if kindIs "slice" $value }}
{{- range $value }}
- {{ printf "--%s=%v" $name . | quote }}
{{- end }}
{{- else if kindIs "bool" $value }}
- {{ ternary (printf "--%s" $name) (printf "--no-%s" $name) $value | quote }}
{{- else if kindIs "float64" $value }}
- {{ printf "--%s=%d" $name (int64 $value) | quote }}
{{- else if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
- {{ printf "--%s=%v" $name $value | quote }}
{{- end }}
{{- end }}
{{- end -}}
