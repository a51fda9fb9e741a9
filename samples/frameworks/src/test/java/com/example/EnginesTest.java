package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.flowable.engine.impl.cfg.StandaloneProcessEngineConfiguration;
import org.flowable.task.api.Task;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Process engines, which are told the kind of database since they know a fixed list. */
class EnginesTest {
    private static final String PROCESS =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn"
                xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace="orders">
              <process id="order" isExecutable="true" camunda:historyTimeToLive="P1D">
                <startEvent id="start"/>
                <sequenceFlow id="one" sourceRef="start" targetRef="approve"/>
                <userTask id="approve" flowable:assignee="ann" camunda:assignee="ann"/>
                <boundaryEvent id="late" attachedToRef="approve" cancelActivity="false">
                  <timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>
                </boundaryEvent>
                <sequenceFlow id="two" sourceRef="approve" targetRef="end"/>
                <endEvent id="end"/>
              </process>
            </definitions>""";

    private static final Map<String, Object> VARIABLES = Map.of("text", "x".repeat(100), "number", 5L);

    @ParameterizedTest
    @ValueSource(strings = {"h2", "postgres"})
    void flowableRunsProcesses(String type) {
        var engine =
                new StandaloneProcessEngineConfiguration()
                        .setJdbcDriver("dev.oriel.OrielDriver")
                        .setJdbcUrl("jdbc:oriel:mem:flowable-" + type)
                        .setDatabaseType(type)
                        .setDatabaseSchemaUpdate("create-drop")
                        .buildProcessEngine();
        engine.getRepositoryService().createDeployment().addString("order.bpmn20.xml", PROCESS).deploy();
        for (int i = 0; i < 30; i++) {
            engine.getRuntimeService().startProcessInstanceByKey("order", VARIABLES);
        }
        List<Task> tasks =
                engine.getTaskService()
                        .createTaskQuery()
                        .taskAssignee("ann")
                        .processVariableValueEquals("number", 5L)
                        .orderByTaskCreateTime()
                        .desc()
                        .listPage(5, 10);
        tasks.forEach(task -> engine.getTaskService().complete(task.getId(), Map.of("fine", true)));
        assertEquals(20, engine.getRuntimeService().createProcessInstanceQuery().variableValueLike("text", "x%").count());
        assertEquals(
                10,
                engine.getHistoryService()
                        .createHistoricProcessInstanceQuery()
                        .finished()
                        .includeProcessVariables()
                        .list()
                        .size());
        assertEquals(20, engine.getManagementService().createTimerJobQuery().count());
        engine.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "postgres"})
    void camundaRunsProcesses(String type) {
        var configuration = new org.camunda.bpm.engine.impl.cfg.StandaloneProcessEngineConfiguration();
        configuration.setJdbcDriver("dev.oriel.OrielDriver");
        configuration.setJdbcUrl("jdbc:oriel:mem:camunda-" + type);
        configuration.setDatabaseType(type);
        configuration.setDatabaseSchemaUpdate("create-drop");
        configuration.setHistory("full");
        var engine = configuration.buildProcessEngine();
        engine.getRepositoryService().createDeployment().addString("order.bpmn", PROCESS).deploy();
        for (int i = 0; i < 30; i++) {
            engine.getRuntimeService().startProcessInstanceByKey("order", VARIABLES);
        }
        engine.getTaskService()
                .createTaskQuery()
                .taskAssignee("ann")
                .processVariableValueEquals("number", 5L)
                .orderByTaskCreateTime()
                .desc()
                .listPage(5, 10)
                .forEach(task -> engine.getTaskService().complete(task.getId(), Map.of("fine", true)));
        assertEquals(20, engine.getRuntimeService().createProcessInstanceQuery().variableValueLike("text", "x%").count());
        assertEquals(10, engine.getHistoryService().createHistoricProcessInstanceQuery().finished().count());
        assertEquals(20, engine.getManagementService().createJobQuery().timers().count());
        engine.close();
    }
}
