<#list dependencyMap as entry>
<#assign project = entry.getKey()/>
<#assign licences = entry.getValue()/>
${project.groupId}:${project.artifactId}:${project.version}: <#list licences as licence>${licence}<#if licence_has_next>; </#if></#list>
</#list>
